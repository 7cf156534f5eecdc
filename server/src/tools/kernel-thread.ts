/**
 * The kernel threads in which network devices handle packets that arrive (threaded NAPI), and the times and CPUs of a
 * thread. The threads are the machine's: their pids are only valid outside of any container.
 */
import { parseCpuList } from './proc.ts'
import { unreadable, type Described } from './read-output.ts'

/** Lists the pids of the threads of all devices of this name, one a line. Exit code 1 if there is none. */
export function napiThreadsArgv(device: string): readonly string[] {
  return ['pgrep', `^napi/${device}-`]
}

/** The output of {@link napiThreadsArgv}. */
export function parsePids(text: string): number[] {
  return text.split('\n').flatMap((line) => (/^\d+$/.test(line) ? [Number(line)] : []))
}

export function schedstatArgv(pid: number): readonly string[] {
  return ['cat', `/proc/${pid}/schedstat`]
}

/** Times of a thread since it began, in ns (Documentation/scheduler/sched-stats.rst). */
export interface ThreadTimes {
  /** On a CPU. */
  readonly runNs: number
  /** Ready to run, while something else had the CPU. */
  readonly waitNs: number
}

function ofThread(what: string): Described {
  return { name: `${what} of the node’s kernel thread`, remedy: 'Run the step again.' }
}

/** @throws LabError `tool_output_unreadable` */
export function parseSchedstat(text: string): ThreadTimes {
  const [, run, wait] = /^(\d+) (\d+) \d+$/.exec(text.trim()) ?? []
  // A kernel that does not count prints zeros (CONFIG_SCHED_INFO).
  if (run === undefined || wait === undefined || Number(run) + Number(wait) === 0)
    throw unreadable(ofThread('The CPU time'), text)
  return { runNs: Number(run), waitNs: Number(wait) }
}

/** Prints the CPUs that a thread can use. */
export function affinityArgv(pid: number): readonly string[] {
  return ['taskset', '-pc', `${pid}`]
}

/** Lets a thread use only one CPU, and prints the CPUs that it can use then. */
export function pinArgv(pid: number, cpu: number): readonly string[] {
  return ['taskset', '-pc', `${cpu}`, `${pid}`]
}

/** The CPUs in the last line of {@link affinityArgv} or {@link pinArgv}. @throws LabError `tool_output_unreadable` */
export function parseAffinity(text: string): number[] {
  const list = /affinity list: (\S+)$/.exec(text.trim())?.[1] ?? ''
  const cpus = parseCpuList(list)
  if (cpus.length === 0) throw unreadable(ofThread('The CPUs'), text)
  return cpus
}

/** Lets a thread go before all programs of usual priority on its CPU. Prints nothing. */
export function goFirstArgv(pid: number): readonly string[] {
  return ['chrt', '--fifo', '--pid', '1', `${pid}`]
}

export function policyArgv(pid: number): readonly string[] {
  return ['chrt', '--pid', `${pid}`]
}

/** Whether {@link policyArgv} printed the policy of {@link goFirstArgv}. */
export function goesFirst(text: string): boolean {
  return /scheduling policy: SCHED_FIFO$/m.test(text)
}
