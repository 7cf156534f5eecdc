/** Runs tasks as an Indexed Job, and reads what each printed. */
import { LabError } from '@expresslane/shared/base/errors'
import { hasNoNode, isLost, waitsFor, type TestbedPod } from '../testbed-pods/pod-state.ts'
import { endOf, tasksOf, type Job, type JobApi } from './job-api.ts'
import type { Batch } from './manifest.ts'

/** How a task ended; `where` is its pod and node. */
export type TaskEnd =
  | { readonly where: string; /** The last line that it printed. */ readonly output: string }
  | { readonly where: string; readonly problem: string }

export interface Told {
  /** Called once for each task, one call after the other. */
  readonly ended: (name: string, end: TaskEnd) => Promise<void>
  readonly say: (line: string) => void
}

export interface Jobs {
  /**
   * Runs the tasks of a batch, or waits for its Job of an earlier call, which can have other tasks. The Job is deleted when it
   * has ended. When the signal is aborted, the Job goes on in the cluster.
   *
   * @throws the errors of the API server; LabError `testbed_gone` when the Job is deleted
   */
  run(batch: Batch, told: Told, signal: AbortSignal): Promise<void>
}

/** The label with a pod's index in its Job. */
const INDEX = 'batch.kubernetes.io/job-completion-index'
/** The last lines of a failed pod that are shown. */
const LINES_SHOWN = 6

function whereOf({ metadata, spec }: TestbedPod): string {
  return `pod ${metadata.name} on node ${spec.nodeName ?? 'unknown'}`
}

/** Why a pod failed, by the cluster's names: `Evicted`, `OOMKilled`, `DeadlineExceeded`, `Error`. @param log that it printed */
export function problemOf(pod: TestbedPod, log: string): string {
  const { reason, message, containerStatuses } = pod.status
  const ended = containerStatuses.find(({ state }) => state.terminated !== undefined)?.state.terminated
  const code = ended === undefined ? '' : `${ended.reason}, exit code ${ended.exitCode}`
  const lines = log.trimEnd().split('\n').slice(-LINES_SHOWN)
  return [reason ?? code, message ?? '', ...lines].filter((line) => line !== '').join('\n') || 'Failed'
}

/** Reads pods as they end. Each call waits for the one before. */
function createReading(api: JobApi, job: Job, { ended, say }: Told) {
  const names = tasksOf(job)
  const left = new Set(names)
  const failed = new Map<string, TaskEnd>()
  const seen = new Set<string>()
  const words = new Map<string, string>()

  function tell(name: string, line: string): void {
    if (words.get(name) !== line) say(`${name}: ${line}`)
    words.set(name, line)
  }

  async function readOne(name: string, pod: TestbedPod, signal: AbortSignal): Promise<void> {
    const { phase } = pod.status
    const where = whereOf(pod)
    if (phase === 'Pending' && (hasNoNode(pod) || pod.status.containerStatuses.length > 0)) tell(name, waitsFor(pod))
    if (phase === 'Running') tell(name, isLost(pod) ? `${where} does not answer` : `runs in ${where}`)
    if ((phase !== 'Succeeded' && phase !== 'Failed') || seen.has(pod.metadata.uid)) return
    const log = await api.log(pod, signal)
    seen.add(pod.metadata.uid)
    const output = phase === 'Succeeded' ? (log.trimEnd().split('\n').at(-1) ?? '') : ''
    if (output === '') {
      failed.set(name, { where, problem: problemOf(pod, log) })
      return tell(name, `failed in ${where}`)
    }
    left.delete(name)
    await ended(name, { where, output })
  }

  return {
    async read(pods: readonly TestbedPod[], signal: AbortSignal): Promise<void> {
      for (const pod of pods) {
        const name = names[Number(pod.metadata.labels[INDEX])]
        if (name !== undefined && left.has(name)) await readOne(name, pod, signal)
      }
    },
    /** @param why the cluster's words about the Job's end */
    async end(why: string): Promise<void> {
      for (const name of left) await ended(name, failed.get(name) ?? { where: 'no pod', problem: why })
    },
  }
}

export function createJobs(api: JobApi, namespace: string): Jobs {
  /** Resolves when the Job has ended. @returns the cluster's words about it */
  async function untilEnded(id: string, { metadata }: Job, signal: AbortSignal): Promise<string> {
    for await (const jobs of api.followJobs(id, signal)) {
      const present = jobs.find((one) => one.metadata.name === metadata.name)
      if (present === undefined) {
        throw new LabError('testbed_gone', `The Job ${metadata.name} was deleted.`, 'Run the same command to go on.')
      }
      const end = endOf(present)
      if (end !== null) return end
    }
    return ''
  }

  return {
    async run(batch, told, signal) {
      const found = await api.find(batch.id, signal)
      const job = found ?? (await api.make(batch, signal))
      const { name } = job.metadata
      const command = `kubectl -n ${namespace} delete job ${name}`
      told.say(
        `The Job ${name} ${found === null ? 'has' : 'of before has'} ${tasksOf(job).length} pods to run. Ctrl-C leaves it running.`,
      )
      const reading = createReading(api, job, told)
      const over = new AbortController()
      const within = AbortSignal.any([signal, over.signal])
      const follow = async (): Promise<void> => {
        for await (const pods of api.followPods(name, within)) await reading.read(pods, within)
      }
      try {
        // Whichever of the two fails first ends the other.
        const following = follow().catch((error: unknown) => {
          if (over.signal.aborted) return
          over.abort(error)
        })
        let why: string
        try {
          why = await untilEnded(batch.id, job, within)
        } finally {
          over.abort()
          await following
        }
        await reading.read(await api.pods(name, signal), signal)
        await reading.end(why)
        await api.remove(job, signal)
      } catch (error) {
        if (!signal.aborted) throw error
        told.say(`The Job ${name} goes on in the cluster. To end it: ${command}`)
      }
    },
  }
}
