import { podOf, SERVER } from '@expresslane/shared/testbed/placement'
import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import { median } from '@expresslane/shared/measure/measurement'
import { bareNetperf, compareTps, pairsTaken, readTps, throughApp, TPS_LIMIT } from '../support/tps-pairs.ts'
import { spread, type Bench } from '../support/table.ts'

const exec = promisify(execFile)

async function childrenOf(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`)
  const lists = await Promise.all(tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8')))
  return lists.flatMap((list) => list.trim().split(/\s+/).filter(Boolean).map(Number))
}

/** The process that holds the testbed's namespaces: the first descendant of the server in another pid namespace. */
async function findHolder(server: number): Promise<number> {
  const own = await readlink('/proc/self/ns/pid')
  const queue = [server]
  for (let pid = queue.shift(); pid !== undefined; pid = queue.shift()) {
    if (pid !== server && (await readlink(`/proc/${pid}/ns/pid`)) !== own) return pid
    queue.push(...(await childrenOf(pid)))
  }
  throw new Error('the server holds no testbed')
}

/** The same netperf test through the app and without it, in the same pods. */
export const tpsRatio: Bench = async (app) => {
  const session = await app.session('big-tcp-ipv4')
  const deployed = await app.run(session, 'deploy', { solve: true })
  const address = podOf(deployed.placement, SERVER)?.addresses.ipv4
  if (address === undefined || address === null || app.server.pid === undefined)
    throw new Error('netperf was not deployed')
  const holder = await findHolder(app.server.pid)
  const enter = ['-t', `${holder}`, '-U', '-n', '-m', '-p', '--preserve-credentials', 'ip', 'netns', 'exec', 'pod1']
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
