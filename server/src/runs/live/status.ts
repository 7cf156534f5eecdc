/** The current state of each testbed, read on request and never during a measurement. */
import { knownCapabilities, whyLacking } from '@expresslane/shared/features/capabilities'
import { toLabError, type Problem } from '@expresslane/shared/base/errors'
import type { LoggedEvent } from '@expresslane/shared/run/events'
import type { ClusterContext, TestbedView } from '@expresslane/shared/wire/protocol'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { parseTestbedId, propertiesOf, type TestbedId } from '@expresslane/shared/testbed/id'
import type { Check, TestbedFacts, TestbedKind } from '@expresslane/shared/testbed/testbed'
import type { Store } from '../../store/open.ts'
import type { SharedResources } from '../../testbeds/resources.ts'
import type { CallContext } from '../../testbeds/testbed.ts'
import { isMeasuring, type FindLab } from '../coordination/busy.ts'
import type { Clock } from '../clock.ts'
import { withDeadline } from '../deadline.ts'
import type { RunLog } from '../log/run-log.ts'
import type { LabTestbed } from '../perform/perform.ts'
import type { Testbeds } from '../testbeds.ts'

const READ_MS = 15_000
const PREFLIGHT_MS = 30_000
/** A machine that boots first, on a busy host. */
const BOOT_MS = 120_000
/** For so long a reading is not repeated, unless it is asked for or a run ends: pages follow the path on the stream. */
const KEPT_MS = 1_000

export interface TestbedStatus {
  /** Read now, or taken from the run that holds the testbed; null if the testbed can't be read. */
  incarnation(id: TestbedId): Promise<string | null>
  /** Reads the path. @throws LabError, or `signal.reason` */
  datapath(id: TestbedId, signal: AbortSignal | null): Promise<DatapathState>
  /**
   * Never rejects: a value that can't be read is null, and `problem` has the reason. Probes run once, and again with
   * `fresh` or after a failure. During a measurement nothing is read, and the last known values are returned.
   */
  view(id: TestbedId, fresh: boolean): Promise<TestbedView>
  /** Discards what is known of a testbed that was replaced. */
  forget(id: TestbedId): void
  /** The exclusive resources, besides the testbed, for runs on it. @throws LabError */
  resources(id: TestbedId): Promise<SharedResources>
  /** Whether repeated readings would disturb a measurement on this testbed or on the same machine. */
  quiet(id: TestbedId): boolean
}

interface Known {
  incarnation: string | null
  facts: TestbedFacts | null
  preflight: Check[] | null
  datapath: DatapathState | null
  /** Whether all of it was read just now. */
  recent: boolean
}

interface Parts {
  readonly store: Store
  readonly log: RunLog
  readonly testbeds: Testbeds
  readonly findLab: FindLab
  readonly clock: Clock
}

type Read<T> = { readonly value: T | null; readonly problem: Problem | null }

async function attempt<T>(reading: Promise<T>): Promise<Read<T>> {
  try {
    return { value: await reading, problem: null }
  } catch (error) {
    return { value: null, problem: toLabError(error).toProblem() }
  }
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

export function createTestbedStatus({ store, log, testbeds, findLab, clock }: Parts): TestbedStatus {
  const known = new Map<TestbedId, Known>()

  function of(id: TestbedId): Known {
    const kept = known.get(id) ?? {
      incarnation: null,
      facts: null,
      preflight: null,
      datapath: null,
      recent: false,
    }
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

  const readFacts = shared((id: TestbedId) =>
    ask(id, READ_MS, null, async (testbed, within) => {
      const facts = await testbed.facts(within)
      of(id).facts = facts
      of(id).incarnation = facts.incarnation
      return facts
    }),
  )

  const readIncarnation = shared((id: TestbedId) =>
    withDeadline(clock, READ_MS, null, async (signal) => {
      const incarnation = await (await testbeds.get(id)).incarnation(context(signal))
      of(id).incarnation = incarnation
      return incarnation
    }),
  )

  const readPreflight = shared((id: TestbedId) =>
    ask(id, PREFLIGHT_MS, null, async (testbed, within) => {
      const checks: Check[] = []
      for await (const check of testbed.preflight(within)) checks.push(check)
      of(id).preflight = checks
      return checks
    }),
  )

  function readDatapath(id: TestbedId, outer: AbortSignal | null): Promise<DatapathState> {
    return ask(id, READ_MS, outer, async (testbed, within) => {
      const datapath = await testbed.read(within)
      of(id).datapath = datapath
      return datapath
    })
  }

  const readDatapathOnce = shared((id: TestbedId) => readDatapath(id, null))

  /** An unreadable kubeconfig is reported when its testbed is created. */
  function contextsOf(kind: TestbedKind): ClusterContext[] {
    try {
      return [...testbeds.contexts(kind).contexts]
    } catch {
      return []
    }
  }

  function measuring(id: TestbedId): boolean {
    const run = store.runs.runningOn(id)
    return run !== null && isMeasuring(findLab, run)
  }

  /** Network namespaces share this machine's processors, so readings in one testbed disturb a measurement in another. */
  function quiet(id: TestbedId): boolean {
    if (!propertiesOf(id).isHere) return measuring(id)
    return store.runs.running().some((run) => propertiesOf(run.testbed).isHere && isMeasuring(findLab, run))
  }

  /** Also learns from the events of runs. */
  function learn({ event, runId }: LoggedEvent): void {
    if (event.type === 'run.ended') {
      const run = log.state(runId)
      // A recording describes another testbed at an earlier time.
      if (run === null || propertiesOf(run.testbed).isRecorded) return
      of(run.testbed).recent = false
      if (run.checks.length > 0 && run.state === 'completed') of(run.testbed).preflight = [...run.checks]
      if (run.facts !== null) of(run.testbed).facts = run.facts
      if (run.datapath !== null) of(run.testbed).datapath = run.datapath
    }
  }
  log.subscribe(learn)

  return {
    async incarnation(id) {
      const run = store.runs.runningOn(id)
      if (run !== null && isMeasuring(findLab, run)) return run.incarnation
      return (await attempt(readIncarnation(id))).value
    },
    datapath: readDatapath,
    resources: (id) =>
      withDeadline(clock, READ_MS, null, async (signal) => (await testbeds.get(id)).resources(context(signal))),
    quiet,
    forget: (id) => void known.delete(id),
    async view(asked, fresh) {
      const id = testbeds.resolve(asked)
      const { kind, context: place } = parseTestbedId(id)
      const testbed = await attempt(testbeds.get(id))
      const last = of(id)
      const rest = testbed.value?.rest ?? null
      const atRest = !fresh && rest?.isNow() === true ? await rest.checks() : []
      let problem = testbed.problem
      const isRecent = last.recent && !fresh
      if (testbed.value !== null && atRest.length === 0 && !isRecent && !measuring(id)) {
        // The cause can be fixed by now, or agents can have been starting.
        const failed = last.preflight?.some(({ status }) => status === 'failed') ?? true
        const probe = fresh || failed
        const [facts, datapath, preflight] = await Promise.all([
          attempt(readFacts(id)),
          attempt(readDatapathOnce(id)),
          probe ? attempt(readPreflight(id)) : { problem: null },
        ])
        problem = facts.problem ?? datapath.problem ?? preflight.problem
        last.recent = problem === null
        clock.after(KEPT_MS, () => {
          last.recent = false
        })
        if (facts.problem !== null) last.facts = null
        if (datapath.problem !== null) last.datapath = null
      }
      const run = store.runs.runningOn(id)
      const primitives = testbed.value?.primitives ?? null
      const can = (primitives === null ? [] : knownCapabilities()).map((capability) => ({
        capability,
        reason: primitives === null ? null : whyLacking(capability, primitives),
      }))
      return {
        id,
        kind,
        capabilities: can.flatMap(({ capability, reason }) => (reason === null ? capability : [])),
        lacks: can.flatMap(({ capability, reason }) => (reason === null ? [] : { capability, reason })),
        choices: Object.fromEntries(
          [...(testbed.value?.choices ?? [])].map(([setting, values]) => [setting, [...values]]),
        ),
        labs: testbed.value?.labs === undefined || testbed.value.labs === null ? null : [...testbed.value.labs],
        placements: [...(testbed.value?.placements ?? [])],
        contexts: contextsOf(kind),
        context: place,
        facts: last.facts,
        preflight: [...atRest, ...(last.preflight ?? []).filter((one) => !atRest.some((now) => now.id === one.id))],
        datapath: last.datapath,
        problem,
        busy: run === null ? null : { runId: run.id, sessionId: run.sessionId, stepId: run.stepId },
        toRestore: last.incarnation === null ? null : store.snapshots.read(id, last.incarnation),
      }
    },
  }
}
