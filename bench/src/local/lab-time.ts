import { spread, type Bench } from '../support/table.ts'

const LIMIT_SECONDS = 3
const ROUNDS = 3
const params = { repeats: 3, seconds: 1 }

/** The whole IPv4 lab with one Solve, without the seconds in which netperf runs. */
export const labTime: Bench = async (app) => {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const session = await app.session('big-tcp-ipv4')
    const last = await app.run(session, 'restore', { solve: true, params })
    if (last.outcome?.passed !== true)
      throw new Error(`the lab stopped at ${last.stepId}: ${last.outcome?.sentence ?? last.problem?.message}`)
    const runs = await app.runs(session)
    const first = Math.min(...runs.map((run) => run.startedAt))
    const netperf = runs
      .flatMap((run) => run.repeats)
      .reduce((sum, one) => sum + (one.measurement?.elapsedSeconds ?? 0), 0)
    times.push(((last.endedAt ?? Number.NaN) - first) / 1000 - netperf)
  }
  return {
    what: "The lab's own time on netns",
    bound: '<= 3 s',
    measured: spread(times, 2, ' s'),
    how: `whole IPv4 lab minus netperf's run time, ${ROUNDS} rounds`,
    holds: Math.max(...times) <= LIMIT_SECONDS,
  }
}
