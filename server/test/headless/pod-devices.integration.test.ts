/** The lab "What lies between pod and node?" without a browser, from its first step to its last. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { labResult } from '@expresslane/shared/wire/headless'
import { expect, test } from 'vitest'
import { readRights, primitivesOf } from '../../src/testbeds/machine/rights.ts'
import { dataFolder, lab } from './lab-process.ts'

const forwarded = ['veth', 'veth-conntrack', 'netkit']

test.runIf(process.getuid?.() === 0)(
  'every arm that the kernel has is measured by each tool over both families, and its packets took its way',
  { timeout: 600_000 },
  async () => {
    const { netkit } = primitivesOf(readRights(), [0])
    const data = await dataFolder()
    const file = join(data, 'result.json')
    const { code, err } = await lab(data, ['pod-devices', '--repeats', '1', '--duration', '1', '--json', file])
    expect(err).toContain('15. Restore')
    expect(code, err.slice(-4_000)).toBe(0)
    const left = err.split('\n').filter((line) => line.includes('left out here'))
    expect(left).toHaveLength(netkit === null ? 0 : 8)
    for (const line of left) expect(line).toContain(netkit)
    const { arms } = labResult.parse(JSON.parse(await readFile(file, 'utf8')))
    const ids = ['host', 'veth', 'veth-conntrack', 'veth-bpf', ...(netkit === null ? ['netkit', 'netkit-bpf'] : [])]
    const big = ['veth-bpf-big-tcp', ...(netkit === null ? ['netkit-bpf-big-tcp'] : [])]
    expect(new Set(arms.map(({ id }) => id))).toEqual(new Set([...ids, ...big]))
    // Three tools over two families; the last step has those with programs again, and with BIG TCP.
    expect(arms).toHaveLength(ids.length * 6 + big.length * 4)
    for (const { id, measurements } of arms) {
      const values = measurements[0]?.values ?? {}
      expect(values['tps'] ?? values['throughput']).toBeGreaterThan(0)
      expect((values['forwardedPackets'] ?? 0) > 0).toBe(forwarded.includes(id))
      expect((values['redirectedPackets'] ?? 0) > 0).toBe(id.includes('-bpf'))
      if (big.includes(id)) expect(values['packetsPerRequest']).toBeLessThan(1.5)
      expect((values['trackedPackets'] ?? 0) > 0).toBe(id === 'veth-conntrack')
    }
  },
)
