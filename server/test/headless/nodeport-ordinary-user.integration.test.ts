import { expect, test } from 'vitest'
import { expectAllPoints, LAB_TIMEOUT, runServicesLab } from './nodeport-lab.ts'

const NOBODY = 65_534

/** As root, this file's own process becomes an ordinary user, who may load no BPF program. */
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
}

test(
  'an ordinary user measures nftables and iptables; TC and XDP are left out, with the reason',
  LAB_TIMEOUT,
  async () => {
    const { result, err } = await runServicesLab()
    expectAllPoints(result, ['nftables', 'iptables'])
    for (const arm of ['TC', 'XDP'])
      expect(err).toMatch(new RegExp(`^ {3}left out here: ${arm}: BPF needs root here`, 'm'))
  },
)
