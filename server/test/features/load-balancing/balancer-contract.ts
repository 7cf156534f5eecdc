/** Each way to balance in a real kernel: the table is read back, connections are held, and replies take their way. */
import { heldConnections } from '@expresslane/shared/features/load-balancing/held-connections'
import { proof } from '@expresslane/shared/features/load-balancing/proof'
import { roles, SERVICE } from '@expresslane/shared/features/load-balancing/places'
import {
  BACKENDS,
  BALANCED_BY,
  BALANCING,
  balancingIn,
  BUCKETS,
  REPLIES,
  settingsOf,
} from '@expresslane/shared/features/load-balancing/settings'
import { fingerprintOf } from '@expresslane/shared/measure/fingerprint'
import { measurement, type Measurement } from '@expresslane/shared/measure/measurement'
import type { Settings } from '@expresslane/shared/base/settings'
import { epochMs } from '@expresslane/shared/base/units'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHeldConnections } from '../../../src/features/load-balancing/held-connections.ts'
import { balancerTopology } from '../../../src/features/load-balancing/topology.ts'
import { packetsAtBalancer } from '../../../src/features/load-balancing/watch.ts'
import { podsOn } from '../../../src/features/pods.ts'
import type { Machine } from '../../../src/testbeds/machine/machine.ts'
import { transactionsArgv } from '../../../src/tools/netperf/netperf.ts'
import { bytes } from '@expresslane/shared/base/units'
import { note } from '../../contract/contract-kit.ts'
import { netnsTestbed } from '../../support/netns.ts'

const CONNECTIONS = 300
const TRANSACTIONS = 500

/** For each way and event: the least and the most connections of 300 that go on, and that break without need. */
const events: readonly (readonly [
  balancer: string,
  by: string,
  event: string,
  kept: [number, number],
  needless: [number, number],
])[] = [
  ['modulo', 'nftables', 'leaves', [20, 120], [100, 240]],
  ['random', 'nftables', 'drains', [300, 300], [0, 0]],
  ['random', 'nftables', 'leaves', [180, 290], [0, 0]],
  ['random', 'nftables', 'takeover', [20, 120], [180, 280]],
  ['maglev', 'nftables', 'leaves', [180, 290], [0, 40]],
  ['maglev', 'nftables', 'takeover', [300, 300], [0, 0]],
  ['rendezvous', 'nftables', 'joins', [200, 295], [5, 100]],
  // A program remembers its connections, so that only those of a backend that has ended break.
  ['maglev', 'xdp', 'drains', [300, 300], [0, 0]],
  ['maglev', 'xdp', 'takeover', [300, 300], [0, 0]],
  ['random', 'tc', 'takeover', [20, 120], [180, 280]],
  ['maglev', 'tc', 'leaves', [180, 290], [0, 0]],
]
/** In the counted machine each case takes some 10 s, so that it runs these alone. */
const forCounted = ['random nftables takeover', 'maglev xdp drains', 'maglev tc leaves', 'tc balancer', 'xdp direct']

/** BPF is for root outside of user namespaces. nftables is for everybody, so that an ordinary user tests it. */
function isDue(of: readonly string[], isCounted: boolean): boolean {
  return isCounted ? forCounted.includes(of.join(' ')) : of.includes('nftables') !== (process.getuid?.() === 0)
}

interface Ran {
  readonly datapath: DatapathState
  readonly measured: Measurement
}

/** @param machine where; none for this machine */
export function balancerContract(machine?: Machine): void {
  const testbed = netnsTestbed({ topology: balancerTopology, ...(machine === undefined ? {} : { machine }) })
  beforeAll(() => testbed.read(note()))
  afterAll(() => testbed.close())

  async function deploy(settings: Settings): Promise<DatapathState> {
    await testbed.set(settings, note())
    await testbed.deploy({ roles }, 'other-node', note())
    return testbed.read(note())
  }

  async function hold(settings: Settings, event: string): Promise<Ran> {
    const datapath = await deploy(settings)
    const { placement } = datapath
    if (placement === null) throw new Error('no pods')
    const benchmark = { tool: heldConnections.tool, event, connections: CONNECTIONS }
    const fingerprint = { ...fingerprintOf(await testbed.facts(note()), datapath), settings }
    const common = { arm: 'a', caseId: null, family: 'ipv4' as const, benchmark, repeat: 1, warmup: false, fingerprint }
    const invocation = { ...common, address: SERVICE, placement, seconds: 1, previous: null, before: null }
    const context = { ...note(), testbed, now: () => epochMs.parse(Date.now()) }
    const { startedAt, elapsedSeconds, values } = await runHeldConnections(invocation, context)
    return { datapath, measured: measurement.parse({ ...common, startedAt, elapsedSeconds, values }) }
  }

  describe('held connections', () => {
    test.each(events.filter(([balancer, by, event]) => isDue([balancer, by, event], machine !== undefined)))(
      '%s by %s, %s',
      async (balancer, by, event, kept, needless) => {
        const settings = settingsOf(balancingIn({ [BALANCING]: balancer, [BALANCED_BY]: by }))
        const { datapath, measured } = await hold(settings, event)
        expect(datapath.carried).toEqual(settings)
        const { keptConnections, brokenNeedlessly, brokenWithBackend } = measured.values
        expect(keptConnections).toBeGreaterThanOrEqual(kept[0])
        expect(keptConnections).toBeLessThanOrEqual(kept[1])
        expect(brokenNeedlessly).toBeGreaterThanOrEqual(needless[0])
        expect(brokenNeedlessly).toBeLessThanOrEqual(needless[1])
        expect((brokenWithBackend ?? 0) > 0).toBe(event === 'leaves')
        const { benchmark } = measured
        const observations = proof({ settings, benchmark, family: 'ipv4', measurements: [measured], datapath })
        expect(observations.map(({ ok }) => ok)).toEqual([true, true])
      },
    )
  })

  // nft and the balancer’s program are the same in the counted machine.
  test.runIf(machine === undefined)('the largest table is loaded and read back', async () => {
    const settings = settingsOf(balancingIn({ [BALANCING]: 'maglev', [BUCKETS]: 4_093 }))
    expect((await deploy(settings)).carried).toEqual(settings)
  })

  const ways = [
    ['balancer', 'nftables', 1.5, 3],
    ['direct', 'nftables', 0.9, 1.5],
    ['balancer', 'tc', 1.5, 3],
    ['direct', 'xdp', 0.9, 1.5],
    ['direct', 'tc', 0.9, 1.5],
  ] as const
  test.each(ways.filter(([replies, by]) => isDue([by, replies], machine !== undefined)))(
    'replies, %s, by %s',
    async (replies, by, least, most) => {
      const of = { [BALANCING]: 'maglev', [BALANCED_BY]: by, [BACKENDS]: 1, [REPLIES]: replies }
      const settings = settingsOf(balancingIn(of))
      const { carried, placement } = await deploy(settings)
      expect(carried).toEqual(settings)
      if (placement === null) throw new Error('no pods')
      const pods = podsOn(testbed, placement, note())
      const before = await packetsAtBalancer(pods)
      const one = bytes.parse(1)
      await pods.run(
        'client',
        transactionsArgv({ address: SERVICE, requestBytes: one, responseBytes: one }, TRANSACTIONS),
      )
      const each = ((await packetsAtBalancer(pods)) - before) / TRANSACTIONS
      expect(each).toBeGreaterThanOrEqual(least)
      expect(each).toBeLessThan(most)
    },
  )
}
