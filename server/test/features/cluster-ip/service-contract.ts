/** Each translation in a real kernel: it is read back, a call is captured, and the counters agree with the connections. */
import { roles, SERVICE } from '@expresslane/shared/features/cluster-ip/places'
import { proof } from '@expresslane/shared/features/cluster-ip/proof'
import { SERVICES, translation, TRANSLATION, type Translation } from '@expresslane/shared/features/cluster-ip/settings'
import { storedValues } from '@expresslane/shared/features/printed'
import { fingerprintOf } from '@expresslane/shared/measure/fingerprint'
import type { Observation } from '@expresslane/shared/base/observation'
import { measurement, type Measurement } from '@expresslane/shared/measure/measurement'
import type { Settings } from '@expresslane/shared/base/settings'
import { epochMs, type Family } from '@expresslane/shared/base/units'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { afterAll, describe, expect, test } from 'vitest'
import { clusterIp } from '../../../src/features/cluster-ip/feature.ts'
import { serviceTopology } from '../../../src/features/cluster-ip/topology.ts'
import type { Machine } from '../../../src/testbeds/machine/machine.ts'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { handshakeArgv } from '../../../src/tools/nodeport/argv.ts'
import { connectCountersArgv, parseConnectCounters } from '../../../src/tools/nodeport/connect.ts'
import { note, run } from '../../contract/contract-kit.ts'
import { netnsTestbed } from '../../support/netns.ts'

type Tool = keyof typeof clusterIp.runners

interface Ran {
  readonly datapath: DatapathState
  readonly measured: Measurement
}

async function deployed(testbed: Testbed, settings: Settings): Promise<DatapathState> {
  await testbed.set(settings, note())
  await testbed.deploy({ roles }, 'other-node', note())
  return testbed.read(note())
}

async function callThe(
  testbed: Testbed,
  datapath: DatapathState,
  { tool, family, seconds }: { readonly tool: Tool; readonly family: Family; readonly seconds: number },
): Promise<Measurement> {
  const { placement, carried } = datapath
  if (placement === null) throw new Error('no pods')
  const fingerprint = { ...fingerprintOf(await testbed.facts(note()), datapath), settings: carried }
  const common = { arm: 'a', caseId: null, family, benchmark: { tool }, repeat: 1, warmup: false, fingerprint }
  const invocation = { ...common, address: SERVICE[family], placement, seconds, previous: null, before: null }
  const context = { ...note(), testbed, now: () => epochMs.parse(Date.now()) }
  const { startedAt, elapsedSeconds, values } = await clusterIp.runners[tool](invocation, context)
  const stored = storedValues(values, fingerprint.instructionsPerMicrosecond)
  return measurement.parse({ ...common, startedAt, elapsedSeconds, values: stored })
}

/** The observations of a measurement that an arm's proof does not accept. */
function wrongFor(by: Translation, { datapath, measured }: Ran): Observation[] {
  const { benchmark, family } = measured
  const settings = { [TRANSLATION]: by }
  return proof({ settings, benchmark, family, measurements: [measured], datapath }).filter(({ ok }) => !ok)
}

/** @param machine where; none for this machine */
export function serviceContract(machine?: Machine): void {
  const testbed = netnsTestbed({ topology: serviceTopology, ...(machine === undefined ? {} : { machine }) })
  afterAll(() => testbed.close())
  // In the counted machine everything takes longer.
  const [seconds, many] = machine === undefined ? [0.5, 1_000] : [0.1, 1]

  describe.each(translation.options)('%s', (by) => {
    test('is read back, and proved by its counters and by the packets that leave the client', async () => {
      const settings = { [TRANSLATION]: by, [SERVICES]: by === 'none' ? 1 : many }
      const datapath = await deployed(testbed, settings)
      expect(datapath.carried).toEqual(settings)
      const cases = [
        ['service-requests', 'ipv6'],
        ['service-connections', 'ipv4'],
      ] as const
      for (const [tool, family] of cases) {
        const measured = await callThe(testbed, datapath, { tool, family, seconds })
        const wrong = new Map(translation.options.map((arm) => [arm, wrongFor(arm, { datapath, measured })]))
        expect(wrong.get(by)).toEqual([])
        expect(translation.options.filter((arm) => wrong.get(arm)?.length === 0)).toEqual([by])
        const { leftForService, leftForBackend } = measured.values
        expect([leftForService === 0, leftForBackend === 0]).toEqual(by === 'socket' ? [true, false] : [false, true])
      }
    })
  })

  // Slow in the counted machine.
  test.runIf(machine === undefined)(
    'tc counts each connection, also from a port that an earlier connection had',
    async () => {
      const datapath = await deployed(testbed, { [TRANSLATION]: 'tc', [SERVICES]: 1 })
      for (let times = 0; times < 2; times++) {
        const measured = await callThe(testbed, datapath, { tool: 'service-connections', family: 'ipv4', seconds: 8 })
        // More than a client has ports in two runs.
        expect(measured.values['serviceConnections']).toBeGreaterThan(33_000)
        expect(wrongFor('tc', { datapath, measured })).toEqual([])
      }
    },
  )

  test('at the socket only calls in the client’s network are translated', async () => {
    await deployed(testbed, { [TRANSLATION]: 'socket', [SERVICES]: 1 })
    const argv = handshakeArgv({ address: SERVICE.ipv4, port: 12_865, timeoutMs: 200 })
    const counts = async () =>
      parseConnectCounters((await run(testbed, 'net:client', connectCountersArgv)).stdout.join(''))
    const before = await counts()
    expect((await run(testbed, 'service-node', argv)).ended.code).toBe(1)
    expect((await counts()).connects).toBe(before.connects)
    await run(testbed, 'client', argv)
    expect((await counts()).translated).toBeGreaterThan(before.translated)
  })
}
