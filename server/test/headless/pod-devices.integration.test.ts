/** The lab "What lies between pod and node?" without a browser, from its first step to its last. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { labResult } from '@expresslane/shared/wire/headless'
import { expect, test } from 'vitest'
import { readRights, refusalsOf } from '../../src/testbeds/netns/this-machine/rights.ts'
import { dataFolder, lab } from './lab-process.ts'

const forwarded = ['veth', 'veth-conntrack', 'netkit']

test.runIf(process.getuid?.() === 0)(
  'every arm that the kernel has is measured twice over both families, and its packets took its way',
  { timeout: 600_000 },
  async () => {
    const { netkit } = refusalsOf(readRights(), [0])
    const data = await dataFolder()
    const file = join(data, 'result.json')
    const { code, err } = await lab(data, ['pod-devices', '--repeats', '1', '--duration', '1', '--json', file])
    expect(err).toContain('13. Restore')
    expect(code, err.slice(-4_000)).toBe(0)
    const left = err.split('\n').filter((line) => line.includes('left out here'))
    expect(left).toHaveLength(netkit === null ? 0 : 4)
    for (const line of left) expect(line).toContain(netkit)
    const { arms } = labResult.parse(JSON.parse(await readFile(file, 'utf8')))
    const ids = ['host', 'veth', 'veth-conntrack', 'veth-bpf', ...(netkit === null ? ['netkit', 'netkit-bpf'] : [])]
    expect(new Set(arms.map(({ id }) => id))).toEqual(new Set(ids))
    expect(arms).toHaveLength(ids.length * 4)
    for (const { id, measurements } of arms) {
      const values = measurements[0]?.values ?? {}
      expect(values['tps']).toBeGreaterThan(0)
      expect((values['forwardedPackets'] ?? 0) > 0).toBe(forwarded.includes(id))
      expect((values['redirectedPackets'] ?? 0) > 0).toBe(id.endsWith('-bpf'))
      expect((values['trackedPackets'] ?? 0) > 0).toBe(id === 'veth-conntrack')
    }
  },
)
