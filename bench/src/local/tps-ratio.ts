import { podOf, SERVER } from '@expresslane/shared/testbed/placement'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { median } from '@expresslane/shared/measure/measurement'
import { enterHolder, findHolder } from '../support/holder.ts'
import { bareNetperf, compareTps, pairsTaken, readTps, throughApp, TPS_LIMIT } from '../support/tps-pairs.ts'
import { spread, type Bench } from '../support/table.ts'

const exec = promisify(execFile)

/** The same netperf test through the app and without it, in the same pods. */
export const tpsRatio: Bench = async (app) => {
  const session = await app.session('big-tcp-ipv4')
  const deployed = await app.run(session, 'deploy', { solve: true })
  const address = podOf(deployed.placement, SERVER)?.addresses.ipv4
  if (address === undefined || address === null || app.server.pid === undefined)
    throw new Error('netperf was not deployed')
  const holder = await findHolder(app.server.pid)
  const enter = [...enterHolder(holder), 'ip', 'netns', 'exec', 'pod1']
  const ratios = await compareTps(
    () => throughApp(app, session),
    async () => readTps((await exec('nsenter', [...enter, ...bareNetperf(address)])).stdout),
  )
  return {
    what: 'TPS through Expresslane over TPS of bare netperf',
    bound: '>= 0.99',
    measured: spread(ratios, 3),
    how: `${pairsTaken}; bare: the classic lab's command, in the same pods`,
    holds: median(ratios) >= TPS_LIMIT,
  }
}
