/** Runs tasks as an Indexed Job, and reads what each printed. */
import { setTimeout as delay } from 'node:timers/promises'
import { LabError } from '@expresslane/shared/base/errors'
import { hasNoNode, waitsFor, type TestbedPod } from '../testbed-pods/pod-state.ts'
import { endOf, tasksOf, type Job, type JobApi } from './job-api.ts'
import type { Batch } from './manifest.ts'

/** How a task ended; `where` is its pod and node. `output` is the last line that it printed, `problem` why there is none, and in further lines all that it printed. */
export type TaskEnd =
  | { readonly where: string; readonly output: string }
  | { readonly where: string; readonly problem: string }

export interface TaskListener {
  /** Called once for each task of the Job, one call after the other. */
  readonly ended: (name: string, end: TaskEnd) => Promise<void>
  readonly say: (line: string) => void
}

/**
 * Runs the tasks of a batch, or waits for its Job of an earlier call, which can have other tasks. The Job is deleted when it
 * has ended. When the signal is aborted, this ends, and the Job goes on in the cluster.
 *
 * @throws the errors of the API server; LabError `testbed_gone` when somebody deletes the Job
 */
export type RunJob = (batch: Batch, listener: TaskListener, signal: AbortSignal) => Promise<void>

/** Between two looks at the Job and its pods. */
const EVERY_MS = 2_000
/** For how many looks in a row the API server may be away: two minutes. */
const MOST_MISSED = 60

/** Why a pod failed, by the cluster's names: `Evicted`, `OOMKilled`, `Error`. @param lines that it printed */
export function problemOf({ status }: TestbedPod, lines: readonly string[]): string {
  const ended = status.containerStatuses.find(({ state }) => state.terminated !== undefined)?.state.terminated
  const reason =
    status.reason ?? (ended === undefined ? 'Failed' : `${ended.reason ?? 'Ended'}, exit code ${ended.exitCode ?? 0}`)
  return [reason, status.message ?? '', ...lines].filter((line) => line !== '').join('\n')
}

/** Reads pods as they end. */
function createReading(api: JobApi, job: Job, { ended, say }: TaskListener) {
  const names = tasksOf(job)
  const left = new Set(names)
  const failed = new Map<string, TaskEnd>()
  const read = new Set<string>()
  const said = new Map<string, string>()

  async function readOne(name: string, pod: TestbedPod, signal: AbortSignal): Promise<void> {
    const { metadata, spec, status } = pod
    if (read.has(metadata.uid)) return
    const where = `pod ${metadata.name} on node ${spec.nodeName ?? 'unknown'}`
    const present = status.phase === 'Pending' && hasNoNode(pod) ? waitsFor(pod) : `${status.phase}, ${where}`
    if (said.get(name) !== present) say(`${name}: ${present}`)
    said.set(name, present)
    if (!['Succeeded', 'Failed'].includes(status.phase)) return
    const lines = await api.log(pod, signal)
    read.add(metadata.uid)
    const output = lines.at(-1)
    if (status.phase === 'Failed' || output === undefined) {
      failed.set(name, { where, problem: problemOf(pod, lines) })
      return
    }
    left.delete(name)
    await ended(name, { where, output })
  }

  return {
    async look(signal: AbortSignal): Promise<void> {
      for (const pod of await api.pods(job, signal)) {
        const name = names[Number(pod.metadata.labels['batch.kubernetes.io/job-completion-index'])]
        if (name !== undefined && left.has(name)) await readOne(name, pod, signal)
      }
    },
    /** @param why the cluster's words about the Job's end */
    async end(why: string): Promise<void> {
      for (const name of left) await ended(name, failed.get(name) ?? { where: 'no pod', problem: why })
    },
  }
}

/** @param namespace for the command that ends the Job */
export function createRunJob(api: JobApi, namespace: string): RunJob {
  /** Looks until the Job has ended. @returns the cluster's words about its end */
  async function follow(batch: Batch, job: Job, listener: TaskListener, signal: AbortSignal): Promise<void> {
    const reading = createReading(api, job, listener)
    for (let missed = 0; ; await delay(EVERY_MS, undefined, { signal })) {
      try {
        const present = await api.find(batch.id, signal)
        if (present === null) {
          const { name } = job.metadata
          throw new LabError('testbed_gone', `The Job ${name} was deleted.`, 'Run the same command to go on.')
        }
        // The Job first: all pods of a Job that has ended have ended.
        await reading.look(signal)
        const why = endOf(present)
        if (why !== null) return await reading.end(why)
        missed = 0
      } catch (error) {
        missed += 1
        if (!(error instanceof LabError) || error.code !== 'cluster_unreachable' || missed > MOST_MISSED) throw error
      }
    }
  }

  return async (batch, listener, signal) => {
    const found = await api.find(batch.id, signal)
    const job = found ?? (await api.make(batch, signal))
    const { name } = job.metadata
    listener.say(`${found === null ? 'Made' : 'Found'} the Job ${name}; pods that it starts: ${tasksOf(job).length}.`)
    try {
      await follow(batch, job, listener, signal)
      await api.remove(job, signal)
    } catch (error) {
      if (!signal.aborted) throw error
      listener.say(`The Job goes on in the cluster. To end it: kubectl -n ${namespace} delete job ${name}`)
    }
  }
}
