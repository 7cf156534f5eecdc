import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { median } from '@expresslane/shared/measure/measurement'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { BenchApp } from '../support/app.ts'
import { kubeconfig, removeNamespace } from './cluster.ts'
import { watchProcessors } from '../support/processors.ts'
import { spread, type Bench } from '../support/table.ts'

const exec = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const LIMIT = 0.8
const ROUNDS = 3
/** Agents compile for some seconds after they are Ready. Neither lab begins while the other's last restart goes on. */
const SETTLE_MS = 12_000
/** About as long as the lab takes. The server has the times; asking for them meanwhile would take CPU time from the agents. */
const QUIET_MS = 30_000
const params = { repeats: 2, seconds: 3 }

interface ClassicTime {
  /** Without netperf's seconds. */
  readonly same: number
  /** From the change of the setting to the last Ready agent: nobody can be faster than the agents start. */
  readonly agents: number
}

/** The same work by shell commands: each phase has a line with its seconds, and the last line is without netperf's. */
async function classicLab(): Promise<ClassicTime> {
  await setTimeout(SETTLE_MS)
  const [file = '', ...args] = (process.env['BENCH_CLASSIC_LAB'] ?? '').split(' ')
  const env = { ...process.env, KUBECONFIG: kubeconfig }
  const { stdout } = await exec(file, args, { cwd: root, env })
  const phase = (words: string): number =>
    Number(new RegExp(String.raw`^\s*([\d.]+) s\s+${words}\s*$`, 'm').exec(stdout)?.[1])
  const same = phase('total without the 12 s of netperf')
  const agents = phase("patch cilium-config and delete the agents' pods") + phase('wait for the rollout')
  if (!(same > 0) || !(agents > 0)) throw new Error(`${file} printed: ${stdout}`)
  return { same, agents }
}

function secondsOf(runs: readonly RunState[], from: string): number {
  const [first, last] = [runs.find(({ stepId }) => stepId === from), runs.at(-1)]
  return ((last?.endedAt ?? Number.NaN) - (first?.startedAt ?? Number.NaN)) / 1000
}

interface LabTime {
  /** From deploy to the second measurement, less netperf's seconds. */
  readonly same: number
  /** Including preflight and the check that BIG TCP is off. */
  readonly whole: number
  /**
   * From the change of the setting until the processors have time again: the agents start and compile, and no pod is
   * ready before that. Where the nodes have processors of their own, this is nothing.
   */
  readonly busy: number
}

async function throughApp(app: BenchApp): Promise<LabTime> {
  await setTimeout(SETTLE_MS)
  using processors = watchProcessors()
  const session = await app.session('big-tcp-ipv4', 'kubernetes')
  const last = await app.run(session, 'measure-on', { solve: true, params }, QUIET_MS)
  if (last.stepId !== 'measure-on' || last.outcome?.passed !== true)
    throw new Error(`the lab stopped at ${last.stepId}: ${last.outcome?.sentence ?? last.problem?.message}`)
  const runs = await app.runs(session)
  await app.run(session, 'restore', {})
  const netperf = runs
    .flatMap((run) => run.repeats)
    .reduce((sum, one) => sum + (one.measurement?.elapsedSeconds ?? 0), 0)
  const { startedAt = 0, endedAt } = runs.find(({ stepId }) => stepId === 'enable') ?? {}
  const busyUntil = processors.lastFull(startedAt, endedAt ?? startedAt) ?? startedAt
  return {
    same: secondsOf(runs, 'deploy') - netperf,
    whole: secondsOf(runs, 'preflight') - netperf,
    busy: (busyUntil - startedAt) / 1000,
  }
}

/** Deploy, read, measure, switch, redeploy, read, measure: through the app and by shell commands, in turn. */
export const clusterLabTime: Bench = async (app) => {
  const ours: LabTime[] = []
  const classic: ClassicTime[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round % 2 === 0) ours.push(await throughApp(app))
    classic.push(await classicLab())
    if (round % 2 === 1) ours.push(await throughApp(app))
  }
  await removeNamespace()
  const same = ours.map((one) => one.same)
  const shell = classic.map((one) => one.same)
  const agents = classic.map((one) => one.agents)
  const ratio = median(same) / median(shell)
  const busy = ours.map((one) => one.busy)
  const ofShell = (times: readonly number[]): string => (median(times) / median(shell)).toFixed(2)
  const floor =
    `the agents' own start is ${spread(agents, 1, ' s')} of these, ${ofShell(agents)}; ` +
    `after ${spread(busy, 1, ' s')}, ${ofShell(busy)}, they and their compilers leave the processors`
  return {
    what: "The IPv4 lab's own time over the same work by shell commands, on a cluster",
    bound: '<= 0.8',
    measured: ratio.toFixed(2),
    how: `medians of ${ROUNDS} interleaved rounds minus netperf's run time: ${spread(same, 1, ' s')} over ${spread(shell, 1, ' s')}; ${floor}; with preflight ${median(ours.map((one) => one.whole)).toFixed(1)} s`,
    holds: ratio <= LIMIT,
  }
}
