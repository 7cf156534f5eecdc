/** Tunnels in a real kernel: each is read back, requests go through it, and its limit decides how many packets they take. */
import { BETWEEN_NODES, proof, tunnelMost } from '@expresslane/shared/features/tunnel-path/proof'
import { roles } from '@expresslane/shared/features/tunnel-path/places'
import { TUNNEL_KIND, TUNNEL_SIZE, type TunnelKind } from '@expresslane/shared/features/tunnel-path/settings'
import { storedValues } from '@expresslane/shared/features/printed'
import { fingerprintOf } from '@expresslane/shared/measure/fingerprint'
import { measurement } from '@expresslane/shared/measure/measurement'
import { bytes } from '@expresslane/shared/base/units'
import { podOf } from '@expresslane/shared/testbed/placement'
import { afterAll, describe, expect, test } from 'vitest'
import { tunnels } from '../../../src/features/tunnel-path/feature.ts'
import { watchTunnel } from '../../../src/features/tunnel-path/pod-settings.ts'
import { pathWithTunnel } from '../../../src/features/tunnel-path/topology.ts'
import { podsOn } from '../../../src/features/pods.ts'
import type { Machine } from '../../../src/testbeds/machine/machine.ts'
import { countedTcpRrArgv } from '../../../src/tools/netperf/netperf.ts'
import { netperfAt, note } from '../../contract/contract-kit.ts'
import { netnsTestbed } from '../../support/netns.ts'

const size = bytes.parse(80_000)
const benchmark = { tool: 'tcp-rr', requestBytes: size, responseBytes: size } as const
/** netperf knows hundredths of a second. In the counted machine a transaction takes ten times as long. */
const TRANSACTIONS = { here: 5_000, counted: 300 } as const

/**
 * @param wanted the tunnels that this kernel has
 * @param machine where; none for this machine
 */
export function tunnelsContract(wanted: readonly TunnelKind[], machine?: Machine): void {
  const count = machine === undefined ? TRANSACTIONS.here : TRANSACTIONS.counted
  const testbed = netnsTestbed({ topology: pathWithTunnel, ...(machine === undefined ? {} : { machine }) })
  afterAll(() => testbed.close())

  test('preflight makes a device of each kind, and says how large its packets can be', async () => {
    const checks = []
    for await (const check of testbed.preflight(note())) checks.push(check)
    for (const kind of ['vxlan', 'geneve'] as const) {
      const { status, seen } = checks.find(({ id }) => id === kind) ?? {}
      // A machine without the device is not asked for it.
      expect(status === 'passed').toBe(wanted.includes(kind))
      if (status === 'passed') expect(seen).toMatch(/^tso_max_size is [\d,]+\. /)
    }
  })

  describe.each(wanted)('%s', (kind) => {
    test.each([65_536, 196_608])('with packets of up to %i bytes', async (most) => {
      const settings = { [TUNNEL_KIND]: kind, [TUNNEL_SIZE]: most }
      await testbed.set(settings, note())
      const pods = podsOn(testbed, await testbed.deploy({ roles }, 'other-node', note()), note())
      const datapath = await testbed.read(note())
      expect(datapath.carried).toMatchObject(settings)
      expect(tunnelMost(datapath) === null).toBe(kind === 'none')
      const observed = tunnels.observe(datapath, { families: ['ipv4'], pods: settings })
      expect(observed.map(({ ok }) => ok)).toEqual(kind === 'none' ? [] : [true, true])
      const fingerprint = fingerprintOf(await testbed.facts(note()), datapath)
      for (const family of ['ipv4', 'ipv6'] as const) {
        const read = await watchTunnel(pods)
        const address = podOf(pods.placement, 'server')?.addresses[family] ?? ''
        const { tps, elapsedSeconds } = await netperfAt(testbed, countedTcpRrArgv({ address, ...benchmark }, count))
        const values = storedValues({ tps, ...(await read()) }, fingerprint.instructionsPerMicrosecond)
        const taken = measurement.parse({
          arm: 'a',
          caseId: null,
          family,
          benchmark,
          repeat: 1,
          warmup: false,
          startedAt: Date.now(),
          elapsedSeconds,
          fingerprint,
          values,
        })
        const seen = proof({ settings, benchmark, family, measurements: [taken], datapath })
        // A count of transactions has no counters of its own on arrival.
        expect(seen.find(({ label }) => label === BETWEEN_NODES)).toMatchObject({ ok: true })
      }
    })
  })
}
