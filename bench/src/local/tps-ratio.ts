import { CLIENT, podOf, SERVER } from '@expresslane/shared/testbed/placement'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { enterHolder, findHolder } from '../support/holder.ts'
import { bareNetperf, readTps, throughApp, tpsRatioRow } from '../support/tps-pairs.ts'
import type { Bench } from '../support/table.ts'

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
  const cpu = deployed.placement?.cpus[CLIENT]
  const bare = [...enter, ...(cpu === undefined ? [] : ['taskset', '-c', `${cpu}`]), ...bareNetperf(address)]
  return tpsRatioRow(
    'TPS through Expresslane over TPS of bare netperf',
    // A new session each time, so that its view does not grow.
    async () => throughApp(app, await app.session('big-tcp-ipv4')),
    async () => readTps((await exec('nsenter', bare)).stdout),
    "bare: the classic lab's command, in the same pods, on the same CPU",
  )
}
