/** Tunnels in a real kernel: each is read back, requests go through it, and its limit decides how many packets they take. */
import { BETWEEN_NODES, IN_PLAIN_TEXT, proof, tunnelMost } from '@expresslane/shared/features/tunnel-path/proof'
import { halves, MTU, roles, TUNNEL } from '@expresslane/shared/features/tunnel-path/places'
import {
  isEncrypted,
  TUNNEL_KIND,
  TUNNEL_SIZE,
  type TunnelKind,
} from '@expresslane/shared/features/tunnel-path/settings'
import { storedValues } from '@expresslane/shared/features/printed'
import { fingerprintOf } from '@expresslane/shared/measure/fingerprint'
import { measurement } from '@expresslane/shared/measure/measurement'
import { bytes } from '@expresslane/shared/base/units'
import type { TestbedFacts } from '@expresslane/shared/testbed/testbed'
import { podOf } from '@expresslane/shared/testbed/placement'
import { LEGACY_MAX_SIZE } from '@expresslane/shared/testbed/reading'
import { afterAll, describe, expect, test } from 'vitest'
import { probe } from '../../../src/runs/actions/probe.ts'
import type { Pods } from '../../../src/features/feature.ts'
import { tunnels } from '../../../src/features/tunnel-path/feature.ts'
import { watchTunnel } from '../../../src/features/tunnel-path/pod-settings.ts'
import { pathWithTunnel } from '../../../src/features/tunnel-path/topology.ts'
import { podsOn } from '../../../src/features/pods.ts'
import type { Machine } from '../../../src/testbeds/machine/machine.ts'
import { countedTcpRrArgv } from '../../../src/tools/netperf/netperf.ts'
import { netperfAt, note, type Noted } from '../../contract/contract-kit.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { labs } from '../../support/runs/labs.ts'
import { performanceOn } from '../../support/runs/perform.ts'

const size = bytes.parse(80_000)
const benchmark = { tool: 'tcp-rr', requestBytes: size, responseBytes: size } as const
/**
 * netperf knows hundredths of a second. In the counted machine a transaction takes ten times as long, and where packets are
 * cut even longer.
 */
const TRANSACTIONS = {
  here: { usual: 5_000, inSegments: 500 },
  counted: { usual: 80, inSegments: 25 },
} as const

const lab = labs.find(({ id }) => id === 'encryption')
/** Its arms in which a message is read on the wire. */
const labArms: readonly (readonly [string, TunnelKind])[] = [
  ['plain', 'none'],
  ['esp', 'esp'],
  ['wireguard', 'wireguard'],
]

/** The sizes that make a difference for a kind. */
const sizesOf: Readonly<Record<TunnelKind, readonly number[]>> = {
  none: [MTU, 65_536, 196_608],
  vxlan: [65_536, 196_608],
  geneve: [65_536, 196_608],
  wireguard: [65_536],
  esp: [65_536],
}

/** The keys that the kernel has are in none of the events. */
async function expectNoKeys(kind: TunnelKind, pods: Pods, { events }: Noted): Promise<void> {
  const argv = kind === 'esp' ? ['ip', 'xfrm', 'state'] : ['wg', 'showconf', TUNNEL]
  const printed = await pods.look(halves[0].nodeRole, argv)
  const keys = [...printed.matchAll(/(?:aead \S+|PrivateKey =|PublicKey =) (\S+)/g)].map(([, key = '']) => key)
  expect(keys.length).toBeGreaterThan(1)
  const logged = JSON.stringify(events)
  expect(keys.filter((key) => logged.includes(key.replace(/^0x/, '')))).toEqual([])
  expect(logged).toContain('NEW-KEY')
}

/**
 * @param wanted the tunnels that this kernel has
 * @param machine where; none for this machine
 * @param measured the tunnels that packets go through
 */
export function tunnelsContract(wanted: readonly TunnelKind[], machine?: Machine, measured = wanted): void {
  const testbed = netnsTestbed({ topology: pathWithTunnel, ...(machine === undefined ? {} : { machine }) })
  afterAll(() => testbed.close())
  let known: Promise<TestbedFacts> | null = null

  test('preflight makes a device of each kind, and says how large its packets can be', async () => {
    const checks = []
    for await (const check of testbed.preflight(note())) checks.push(check)
    for (const kind of ['vxlan', 'geneve', 'wireguard', 'esp'] as const) {
      const { status, seen } = checks.find(({ id }) => id === kind) ?? {}
      // A machine without the device is not asked for it.
      expect(status === 'passed').toBe(wanted.includes(kind))
      if (status === 'passed') expect(seen).toMatch(/^(tso_max_size is [\d,]+\. |A device was made)/)
    }
  })

  describe.each(measured)('%s', (kind) => {
    test.each(sizesOf[kind])('with packets of up to %i bytes', async (most) => {
      const settings = { [TUNNEL_KIND]: kind, [TUNNEL_SIZE]: most }
      await testbed.set(settings, note())
      const noted = note()
      const pods = podsOn(testbed, await testbed.deploy({ roles }, 'other-node', noted), note())
      if (isEncrypted(kind)) await expectNoKeys(kind, pods, noted)
      // With the processor's instructions for AES, as where udev loads their module.
      if (kind === 'esp' && machine !== undefined)
        expect(await pods.look(halves[0].nodeRole, ['cat', '/proc/crypto'])).toContain('rfc4106-gcm-aesni')
      const [armId] = labArms.filter(([, of]) => of === kind && most === LEGACY_MAX_SIZE).map(([id]) => id)
      if (armId !== undefined) {
        if (lab === undefined) throw new Error('the lab is gone')
        const step = { ...performanceOn(testbed), lab }
        expect(await probe({ kind: 'probe', probe: 'message', arms: [armId] }, step)).toMatchObject({ passed: true })
      }
      const datapath = await testbed.read(note())
      expect(datapath.carried).toMatchObject(settings)
      expect(tunnelMost(datapath) === null).toBe(kind === 'none')
      const observed = tunnels.observe(datapath, { families: ['ipv4'], pods: settings })
      expect(observed.map(({ ok }) => ok)).toEqual(kind === 'none' ? [] : [true, true])
      const fingerprint = fingerprintOf(await (known ??= testbed.facts(note())), datapath)
      // Each kind carries both families in its last size.
      const families = most === sizesOf[kind].at(-1) ? (['ipv4', 'ipv6'] as const) : (['ipv4'] as const)
      for (const family of families) {
        const read = await watchTunnel(pods)
        const address = podOf(pods.placement, 'server')?.addresses[family] ?? ''
        const counts = TRANSACTIONS[machine === undefined ? 'here' : 'counted']
        const count = most === MTU || isEncrypted(kind) ? counts.inSegments : counts.usual
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
        for (const label of [BETWEEN_NODES, IN_PLAIN_TEXT])
          expect(seen.find((one) => one.label === label)).toMatchObject({ ok: true })
      }
    })
  })
}
