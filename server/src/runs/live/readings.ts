/** Reads testbeds, each time with a deadline. Keeps the latest values, also the values that runs have read. */
import type { LoggedEvent } from '@expresslane/shared/run/events'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { propertiesOf, type TestbedId } from '@expresslane/shared/testbed/id'
import type { Check, TestbedFacts } from '@expresslane/shared/testbed/testbed'
import type { SharedResources } from '../../testbeds/resources.ts'
import type { CallContext } from '../../testbeds/testbed.ts'
import type { Clock } from '../clock.ts'
import { withDeadline } from '../deadline.ts'
import type { RunLog } from '../log/run-log.ts'
import type { LabTestbed } from '../perform/perform.ts'
import type { Testbeds } from '../testbeds.ts'

const READ_MS = 15_000
const PREFLIGHT_MS = 30_000
/** A machine that boots first, on a busy host. */
const BOOT_MS = 120_000

interface Known {
  incarnation: string | null
  facts: TestbedFacts | null
  preflight: Check[] | null
  datapath: DatapathState | null
  /** Whether all of it was read just now. */
  recent: boolean
}

interface Parts {
  readonly log: RunLog
  readonly testbeds: Testbeds
  readonly clock: Clock
}

/** Concurrent requests for the same testbed share one reading. */
function shared<T>(read: (id: TestbedId) => Promise<T>): (id: TestbedId) => Promise<T> {
  const underWay = new Map<TestbedId, Promise<T>>()
  return (id) => {
    const present = underWay.get(id) ?? read(id).finally(() => underWay.delete(id))
    underWay.set(id, present)
    return present
  }
}

/** Every reading rejects with a LabError, or with the reason of its signal. */
export function createReadings({ log, testbeds, clock }: Parts) {
  const known = new Map<TestbedId, Known>()

  function of(id: TestbedId): Known {
    const kept = known.get(id) ?? { incarnation: null, facts: null, preflight: null, datapath: null, recent: false }
    known.set(id, kept)
    return kept
  }

  function context(signal: AbortSignal): CallContext {
    return { signal, emit: () => {} }
  }

  /** Asks a testbed with a deadline, which is longer where the testbed may have to be started first. */
  async function ask<T>(
    id: TestbedId,
    ms: number,
    outer: AbortSignal | null,
    read: (testbed: LabTestbed, context: CallContext) => Promise<T>,
  ): Promise<T> {
    const testbed = await withDeadline(clock, READ_MS, outer, () => testbeds.get(id))
    const wait = testbed.rest === null ? ms : BOOT_MS
    return withDeadline(clock, wait, outer, (signal) => read(testbed, context(signal)))
  }

  /** @param outer ends the reading, besides its deadline */
  function datapath(id: TestbedId, outer: AbortSignal | null): Promise<DatapathState> {
    return ask(id, READ_MS, outer, async (testbed, within) => {
      const read = await testbed.read(within)
      of(id).datapath = read
      return read
    })
  }

  /** Also learns from the events of runs. */
  function learn({ event, runId }: LoggedEvent): void {
    if (event.type !== 'run.ended') return
    const run = log.state(runId)
    // A recording describes another testbed at an earlier time.
    if (run === null || propertiesOf(run.testbed).isRecorded) return
    const last = of(run.testbed)
    last.recent = false
    if (run.checks.length > 0 && run.state === 'completed') last.preflight = [...run.checks]
    if (run.facts !== null) last.facts = run.facts
    if (run.datapath !== null) last.datapath = run.datapath
  }
  log.subscribe(learn)

  return {
    /** The latest values; null for a value that is unknown. */
    of,
    forget: (id: TestbedId): void => void known.delete(id),
    facts: shared((id: TestbedId) =>
      ask(id, READ_MS, null, async (testbed, within) => {
        const facts = await testbed.facts(within)
        of(id).facts = facts
        of(id).incarnation = facts.incarnation
        return facts
      }),
    ),
    incarnation: shared((id: TestbedId) =>
      withDeadline(clock, READ_MS, null, async (signal) => {
        const incarnation = await (await testbeds.get(id)).incarnation(context(signal))
        of(id).incarnation = incarnation
        return incarnation
      }),
    ),
    preflight: shared((id: TestbedId) =>
      ask(id, PREFLIGHT_MS, null, async (testbed, within) => {
        const checks: Check[] = []
        for await (const check of testbed.preflight(within)) checks.push(check)
        of(id).preflight = checks
        return checks
      }),
    ),
    datapath,
    datapathOnce: shared((id: TestbedId) => datapath(id, null)),
    resources: (id: TestbedId): Promise<SharedResources> =>
      withDeadline(clock, READ_MS, null, async (signal) => (await testbeds.get(id)).resources(context(signal))),
  }
}
