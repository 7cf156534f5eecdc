/** The current state of each testbed, read on request and never during a measurement. */
import { toLabError, type Problem } from '@expresslane/shared/base/errors'
import type { ClusterContext, TestbedView } from '@expresslane/shared/wire/protocol'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import { kindOf, parseTestbedId, propertiesOf, type TestbedId } from '@expresslane/shared/testbed/id'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import type { Store } from '../../store/open.ts'
import type { SharedResources } from '../../testbeds/resources.ts'
import { isMeasuring, type FindLab } from '../coordination/busy.ts'
import type { Clock } from '../clock.ts'
import type { RunLog } from '../log/run-log.ts'
import type { RunningRuns } from '../log/running-runs.ts'
import type { Testbeds } from '../testbeds.ts'
import { offerOf } from './offer.ts'
import { createReadings } from './readings.ts'

/** For so long a reading is not repeated, unless it is asked for or a run ends: pages follow the path on the stream. */
const KEPT_MS = 1_000

export interface TestbedStatus {
  /** Read now, or taken from the run that holds the testbed; null if the testbed can't be read. */
  incarnation(id: TestbedId): Promise<string | null>
  /** Reads the path. @throws LabError, or `signal.reason` */
  datapath(id: TestbedId, signal: AbortSignal | null): Promise<DatapathState>
  /**
   * Never rejects: a value that can't be read is null, and `problem` has the reason. Preflight checks run once, and again with
   * `fresh` or after a failure. During a measurement nothing is read, and the last known values are returned.
   */
  view(id: TestbedId, fresh: boolean): Promise<TestbedView>
  /** Discards the values of a testbed that was replaced. */
  forget(id: TestbedId): void
  /** The exclusive resources, besides the testbed, for runs on it. @throws LabError */
  resources(id: TestbedId): Promise<SharedResources>
  /** Whether repeated readings would disturb a measurement on this testbed or on the same machine. */
  quiet(id: TestbedId): boolean
}

interface Parts {
  readonly store: Store
  readonly log: RunLog
  readonly runningRuns: Pick<RunningRuns, 'all' | 'on'>
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

export function createTestbedStatus({ store, log, runningRuns, testbeds, findLab, clock }: Parts): TestbedStatus {
  const readings = createReadings({ log, testbeds, clock })

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

  /** @returns why a value could not be read */
  async function readAll(id: TestbedId, fresh: boolean): Promise<Problem | null> {
    const last = readings.of(id)
    // The cause can be fixed by now, or agents can have been starting.
    const failed = last.preflight?.some(({ status }) => status === 'failed') ?? true
    const [facts, datapath, preflight] = await Promise.all([
      attempt(readings.facts(id)),
      attempt(readings.datapathOnce(id)),
      fresh || failed ? attempt(readings.preflight(id)) : { problem: null },
    ])
    const problem = facts.problem ?? datapath.problem ?? preflight.problem
    last.recent = problem === null
    clock.after(KEPT_MS, () => {
      last.recent = false
    })
    if (facts.problem !== null) last.facts = null
    if (datapath.problem !== null) last.datapath = null
    return problem
  }

  return {
    async incarnation(id) {
      const run = store.runs.runningOn(id)
      if (run !== null && isMeasuring(findLab, run)) return run.incarnation
      return (await attempt(readings.incarnation(id))).value
    },
    datapath: readings.datapath,
    resources: readings.resources,
    /** The topologies of a host share its processors, so readings in one testbed disturb a measurement in another. */
    quiet(id) {
      const { isHere, isOwners } = propertiesOf(id)
      const on = runningRuns.on(id)
      const near = isHere || isOwners ? runningRuns.all() : on === null ? [] : [on]
      const kind = kindOf(id)
      return near.some((run) => isMeasuring(findLab, run) && kindOf(run.testbed) === kind)
    },
    forget: readings.forget,
    async view(asked, fresh) {
      const id = testbeds.resolve(asked)
      const { kind, context } = parseTestbedId(id)
      const testbed = await attempt(testbeds.get(id))
      const last = readings.of(id)
      const rest = testbed.value?.rest ?? null
      const atRest = !fresh && rest?.isNow() === true ? await rest.checks() : []
      const isRecent = last.recent && !fresh
      const reads = testbed.value !== null && atRest.length === 0 && !isRecent && !measuring(id)
      const problem = reads ? await readAll(id, fresh) : testbed.problem
      const run = store.runs.runningOn(id)
      return {
        id,
        kind,
        ...offerOf(testbed.value),
        contexts: contextsOf(kind),
        context,
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
