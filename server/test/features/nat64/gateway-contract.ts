/** Each translator on a gateway in a real kernel: who is answered, who translated, and what stops without it. */
import { CALLS, roles } from '@expresslane/shared/features/nat64/roles'
import { calledAs } from '@expresslane/shared/features/nat64/places'
import { proof } from '@expresslane/shared/features/nat64/proof'
import { TRANSLATOR } from '@expresslane/shared/features/nat64/settings'
import { isBpf, translates, type Translator } from '@expresslane/shared/features/nat64/translators'
import { storedValues } from '@expresslane/shared/features/printed'
import { fingerprintOf } from '@expresslane/shared/measure/fingerprint'
import { measurement } from '@expresslane/shared/measure/measurement'
import { bytes, epochMs, type Family } from '@expresslane/shared/base/units'
import { podOf } from '@expresslane/shared/testbed/placement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { podsOn } from '../../../src/features/pods.ts'
import type { Pods } from '../../../src/features/feature.ts'
import { watchGateway } from '../../../src/features/nat64/watch.ts'
import type { Machine } from '../../../src/testbeds/machine/machine.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { gateway } from '../../../src/features/nat64/topology.ts'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { countedTcpRrArgv, tcpCrrArgv } from '../../../src/tools/netperf/netperf.ts'
import { netperfAt, note } from '../../contract/contract-kit.ts'

const families = ['ipv4', 'ipv6'] as const
/** netperf knows hundredths of a second. In the counted machine a transaction takes ten times as long. */
const TRANSACTIONS = { here: 50_000, counted: 2_000 } as const
const CONNECTIONS = { here: 1_000, counted: 100 } as const
const oneByte = { tool: 'tcp-rr', requestBytes: bytes.parse(1), responseBytes: bytes.parse(1) } as const

interface Deployed {
  readonly testbed: Testbed
  readonly pods: Pods
}

async function deployOn(testbed: Testbed, translator: Translator): Promise<Deployed> {
  await testbed.set({ [TRANSLATOR]: translator }, note())
  return { testbed, pods: podsOn(testbed, await testbed.deploy({ roles }, 'other-node', note()), note()) }
}

function testbedOn(machine: Machine | undefined): Testbed {
  return netnsTestbed({ topology: gateway, ...(machine === undefined ? {} : { machine }) })
}

/** As the benchmarks call it. */
function addressOf({ placement }: Pods, of: Family): string {
  return calledAs(podOf(placement, 'server')?.addresses[of] ?? '', of)
}

/**
 * @param wanted those that this user and this kernel can have
 * @param machine where; none for this machine
 */
export function gatewayContract(wanted: readonly Translator[], machine?: Machine): void {
  const place = machine === undefined ? 'here' : 'counted'
  const testbed = testbedOn(machine)
  beforeAll(() => testbed.read(note()))
  afterAll(() => testbed.close())

  describe.each(wanted)('%s', (translator) => {
    test('is read back, the counters prove who translated every packet, and it carries new connections', async () => {
      const { pods } = await deployOn(testbed, translator)
      const datapath = await testbed.read(note())
      expect(datapath.carried).toEqual({ [TRANSLATOR]: translator })
      expect(datapath.hooks.find(({ hook }) => hook === CALLS)?.counts).toEqual({ ipv4: 1, ipv6: 1 })
      const fingerprint = fingerprintOf(await testbed.facts(note()), datapath)
      for (const family of families) {
        const read = await watchGateway(pods)
        const startedAt = epochMs.parse(Date.now())
        const address = addressOf(pods, family)
        const { tps, elapsedSeconds } = await netperfAt(
          testbed,
          countedTcpRrArgv({ address, ...oneByte }, TRANSACTIONS[place]),
        )
        const watched = await read()
        expect((watched['bpfTranslations'] ?? 0) > 0).toBe(isBpf(translator))
        expect((watched['taygaTranslations'] ?? 0) > 0).toBe(translator === 'tayga')
        expect((watched['translatorSessions'] ?? 0) > 0).toBe(translator === 'bpf-stateful')
        const taken = measurement.parse({
          arm: translator,
          caseId: null,
          family,
          benchmark: oneByte,
          repeat: 1,
          warmup: false,
          startedAt,
          elapsedSeconds,
          fingerprint,
          values: storedValues({ tps, ...watched }, fingerprint.instructionsPerMicrosecond),
        })
        const settings = { [TRANSLATOR]: translator }
        const seen = proof({ settings, benchmark: oneByte, family, measurements: [taken], datapath })
        expect(seen.filter(({ ok }) => !ok)).toEqual([])
        // A connection for each request; netperf takes a negative length as a number of transactions.
        const { tps: connections } = await netperfAt(testbed, tcpCrrArgv(address, -CONNECTIONS[place]))
        expect(connections).toBeGreaterThan(0)
      }
    })
  })

  test('without a translator nothing gets through, and it is back with one', async () => {
    const [first = 'native'] = wanted.filter(translates)
    for (const translator of ['none', first, 'none', 'native'] as const) {
      await deployOn(testbed, translator)
      const { carried, hooks } = await testbed.read(note())
      expect(carried).toEqual({ [TRANSLATOR]: translator })
      const answered = Number(translator !== 'none')
      expect(hooks.find(({ hook }) => hook === CALLS)?.counts).toEqual({ ipv4: answered, ipv6: answered })
    }
    await testbed.remove(note())
    expect((await testbed.read(note())).kernel).toEqual([])
  })
}
