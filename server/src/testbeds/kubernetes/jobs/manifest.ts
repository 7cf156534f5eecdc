/** An Indexed Job: one pod of the testbeds' template for each task. Pure. */
import type { V1Job, V1PodTemplate } from '@kubernetes/client-node'
import { typedLine } from '../../typed.ts'

/** A command that writes a JSON file. */
export interface Task {
  readonly name: string
  readonly argv: readonly string[]
  /** The file, which the pod prints when the command has ended well. */
  readonly file: string
}

export interface Batch {
  /** Names the batch in a label: its Job is found again by it. */
  readonly id: string
  readonly tasks: readonly Task[]
  /** The most pods at a time. */
  readonly parallel: number
}

/** The label of a Job and its pods, with the id of the batch. */
export const BATCH = 'expresslane/batch'
/** The annotation with the names of the tasks, by their index. */
export const TASKS = 'expresslane/tasks'

/** The deadline of a task: the longest lab takes some minutes on a quiet node. */
const TASK_SECONDS = 3_600
/** For this long the results of a Job can be read that nobody waits for. */
const KEEP_SECONDS = 7 * 86_400
/** The memory of Node. The template's is for the counted machine alone. */
const NODE_MIB = 256

function withNode(quantities: Readonly<Record<string, string>> = {}): Record<string, string> {
  const mebibytes = /^(\d+)Mi$/.exec(quantities['memory'] ?? '')?.[1]
  return { ...quantities, ...(mebibytes === undefined ? {} : { memory: `${Number(mebibytes) + NODE_MIB}Mi` }) }
}

/** The task as a line for bash. A line break of JSON is only between its parts, so all of it fits on one line of the log. */
function lineOf({ argv, file }: Task): string {
  return `${typedLine(argv)} && tr -d '\\n' <${typedLine([file])} && echo`
}

/** @param name of the Job @param template of the pods; the Job belongs to it */
export function jobOf(
  name: string,
  { id, tasks, parallel }: Batch,
  { metadata: owner, template }: V1PodTemplate,
): V1Job {
  const { containers = [], volumes = [], ...spec } = template?.spec ?? {}
  const { resources, volumeMounts = [], ...container } = containers[0] ?? { name: 'testbed' }
  const { name: ownerName = '', uid = '' } = owner ?? {}
  const task = {
    ...container,
    command: ['bash', '-c', 'eval "${@:JOB_COMPLETION_INDEX+1:1}"', 'task', ...tasks.map(lineOf)],
    resources: { requests: withNode(resources?.requests), limits: withNode(resources?.limits) },
    volumeMounts: [...volumeMounts, { name: 'tmp', mountPath: '/tmp' }],
  }
  const pod = {
    ...spec,
    restartPolicy: 'Never',
    activeDeadlineSeconds: TASK_SECONDS,
    containers: [task],
    volumes: [...volumes, { name: 'tmp', emptyDir: {} }],
  }
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      labels: { [BATCH]: id },
      annotations: { [TASKS]: JSON.stringify(tasks.map((one) => one.name)) },
      ownerReferences: [{ apiVersion: 'v1', kind: 'PodTemplate', name: ownerName, uid }],
    },
    spec: {
      completionMode: 'Indexed',
      completions: tasks.length,
      parallelism: Math.min(parallel, tasks.length),
      backoffLimitPerIndex: 1,
      activeDeadlineSeconds: (Math.ceil(tasks.length / parallel) + 1) * TASK_SECONDS,
      ttlSecondsAfterFinished: KEEP_SECONDS,
      template: { metadata: { labels: { ...template?.metadata?.labels, [BATCH]: id } }, spec: pod },
    },
  }
}
