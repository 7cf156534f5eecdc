import { expect, test } from 'vitest'
import { expectAllPoints, LAB_TIMEOUT, runServicesLab } from './nodeport-lab.ts'

test.runIf(process.getuid?.() === 0)('root measures all four hooks', LAB_TIMEOUT, async () => {
  const { result, err } = await runServicesLab()
  expectAllPoints(result, ['nftables', 'iptables', 'tc', 'xdp'])
  expect(err).not.toContain('left out here')
})
