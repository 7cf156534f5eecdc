/** What is known of each testbed now, read when asked and never in the way of a measurement. */
import { toLabError, type Problem } from '@expresslane/shared/wire/errors'
import type { LoggedEvent } from '@expresslane/shared/run/events'
import type { TestbedView } from '@expresslane/shared/wire/protocol'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { Check, TestbedFacts, TestbedKind } from '@expresslane/shared/testbed/testbed'
import type { Store } from '../store/open.ts'
import type { Context } from '../testbeds/testbed.ts'
import { isMeasuring, type FindLab } from './busy.ts'
import type { Clock } from './clock.ts'
import { withDeadline } from './deadline.ts'
import type { RunLog } from './run-log.ts'
import type { KnownContexts, Testbeds } from './testbeds.ts'

const READ_MS = 15_000
const PREFLIGHT_MS = 30_000

export interface TestbedStatus {
  /** Read anew, or of the run that holds the testbed; null when the testbed can't be read. */
  incarnation(kind: TestbedKind): Promise<string | null>
  /** Reads the path. @throws LabError, or `signal.reason` */
  datapath(kind: TestbedKind, signal: AbortSignal | null): Promise<DatapathState>
  /**
   * Never rejects: what could not be read is null, and `problem` says why. Probes run once, and again
   * when `fresh` or when one had failed; while a measurement runs nothing is read and the last known is told.
   */
  view(kind: TestbedKind, fresh: boolean): Promise<TestbedView>
  /** What was known of the testbed is of another one now. */
  forget(kind: TestbedKind): void
  /** Nothing may disturb the testbed now. */
  measuring(kind: TestbedKind): boolean
}

interface Known {
  incarnation: string | null
  facts: TestbedFacts | null
  preflight: Check[] | null
  datapath: DatapathState | null
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

/** Whoever asks while a reading of the same testbed is under way gets that one. */
function shared<T>(read: (kind: TestbedKind) => Promise<T>): (kind: TestbedKind) => Promise<T> {
  const underWay = new Map<TestbedKind, Promise<T>>()
  return (kind) => {
    const present = underWay.get(kind) ?? read(kind).finally(() => underWay.delete(kind))
    underWay.set(kind, present)
    return present
  }
}

export function createTestbedStatus({ store, log, testbeds, findLab, clock }: Parts): TestbedStatus {
  const known = new Map<TestbedKind, Known>()

  function of(kind: TestbedKind): Known {
    const kept = known.get(kind) ?? { incarnation: null, facts: null, preflight: null, datapath: null }
    known.set(kind, kept)
    return kept
  }

  function context(signal: AbortSignal): Context {
    return { signal, emit: () => {} }
  }

  const readFacts = shared((kind: TestbedKind) =>
    withDeadline(clock, READ_MS, null, async (signal) => {
      const facts = await (await testbeds.get(kind)).facts(context(signal))
      of(kind).facts = facts
      of(kind).incarnation = facts.incarnation
      return facts
    }),
  )

  const readIncarnation = shared((kind: TestbedKind) =>
    withDeadline(clock, READ_MS, null, async (signal) => {
      const incarnation = await (await testbeds.get(kind)).incarnation(context(signal))
      of(kind).incarnation = incarnation
      return incarnation
    }),
  )

  const readPreflight = shared((kind: TestbedKind) =>
    withDeadline(clock, PREFLIGHT_MS, null, async (signal) => {
      const checks: Check[] = []
      for await (const check of (await testbeds.get(kind)).preflight(context(signal))) checks.push(check)
      of(kind).preflight = checks
      return checks
    }),
  )

  function readDatapath(kind: TestbedKind, outer: AbortSignal | null): Promise<DatapathState> {
    return withDeadline(clock, READ_MS, outer, async (signal) => {
      const datapath = await (await testbeds.get(kind)).readDatapath(context(signal))
      of(kind).datapath = datapath
      return datapath
    })
  }

  const readDatapathOnce = shared((kind: TestbedKind) => readDatapath(kind, null))

  /** A kubeconfig that can't be read is told by the testbed that can't be made of it. */
  function contextsOf(kind: TestbedKind): KnownContexts {
    try {
      return testbeds.contexts(kind)
    } catch {
      return { contexts: [], current: null }
    }
  }

  function measuring(kind: TestbedKind): boolean {
    const run = store.runs.runningOn(kind)
    return run !== null && isMeasuring(findLab, run)
  }

  /** What runs find out is known here too. */
  function learn({ event, runId }: LoggedEvent): void {
    if (event.type === 'run.ended') {
      const run = log.state(runId)
      // What a recording tells of is elsewhere, and long ago.
      if (run === null || run.testbed === 'recording') return
      if (run.checks.length > 0 && run.state === 'completed') of(run.testbed).preflight = [...run.checks]
      if (run.facts !== null) of(run.testbed).facts = run.facts
      if (run.datapath !== null) of(run.testbed).datapath = run.datapath
    }
  }
  log.subscribe(learn)

  return {
    async incarnation(kind) {
      const run = store.runs.runningOn(kind)
      if (run !== null && isMeasuring(findLab, run)) return run.incarnation
      return (await attempt(readIncarnation(kind))).value
    },
    datapath: readDatapath,
    measuring,
    forget: (kind) => void known.delete(kind),
    async view(kind, fresh) {
      const testbed = await attempt(testbeds.get(kind))
      const last = of(kind)
      let problem = testbed.problem
      if (testbed.value !== null && !measuring(kind)) {
        // What failed may have been mended, or have been somebody's agents just starting.
        const failed = last.preflight?.some(({ status }) => status === 'failed') ?? true
        const probe = fresh || failed
        const [facts, datapath, preflight] = await Promise.all([
          attempt(readFacts(kind)),
          attempt(readDatapathOnce(kind)),
          probe ? attempt(readPreflight(kind)) : { problem: null },
        ])
        problem = facts.problem ?? datapath.problem ?? preflight.problem
        if (facts.problem !== null) last.facts = null
        if (datapath.problem !== null) last.datapath = null
      }
      const run = store.runs.runningOn(kind)
      const places = contextsOf(kind)
      return {
        kind,
        capabilities: [...(testbed.value?.capabilities ?? [])],
        lacks: [...(testbed.value?.lacks ?? [])].map(([capability, reason]) => ({ capability, reason })),
        labs: testbed.value?.labs === undefined || testbed.value.labs === null ? null : [...testbed.value.labs],
        placements: [...(testbed.value?.placements ?? [])],
        contexts: [...places.contexts],
        context: places.current,
        facts: last.facts,
        preflight: last.preflight ?? [],
        datapath: last.datapath,
        problem,
        busy: run === null ? null : { runId: run.id, sessionId: run.sessionId, stepId: run.stepId },
        toRestore: last.incarnation === null ? null : store.snapshots.read(kind, last.incarnation),
      }
    },
  }
}
