import { execFile } from 'node:child_process'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { median } from '@expresslane/shared/measurement'
import { spread, type Bench } from './table.ts'

const PAIRS = 10
const SECONDS = 10
/** Before either side: a shared processor is faster after a rest, whoever comes next. */
const REST_MS = 1000
const LIMIT = 0.99
const exec = promisify(execFile)

async function childrenOf(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`)
  const lists = await Promise.all(tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8')))
  return lists.flatMap((list) => list.trim().split(/\s+/).filter(Boolean).map(Number))
}

/** The process that holds the testbed's namespaces: the first below the server in another pid namespace. */
async function findHolder(server: number): Promise<number> {
  const own = await readlink('/proc/self/ns/pid')
  const queue = [server]
  for (let pid = queue.shift(); pid !== undefined; pid = queue.shift()) {
    if (pid !== server && (await readlink(`/proc/${pid}/ns/pid`)) !== own) return pid
    queue.push(...(await childrenOf(pid)))
  }
  throw new Error('the server holds no testbed')
}

async function bareTps(holder: number, address: string): Promise<number> {
  const enter = ['-t', `${holder}`, '-U', '-n', '-m', '-p', '--preserve-credentials']
  const netperf = [
    'netperf',
    '-H',
    address,
    '-t',
    'TCP_RR',
    '-l',
    `${SECONDS}`,
    '-P',
    '0',
    '--',
    '-r',
    '80000,80000',
    '-k',
    // What the classic lab asks for.
    'MIN_LATENCY,P90_LATENCY,P99_LATENCY,THROUGHPUT',
  ]
  await setTimeout(REST_MS)
  const { stdout } = await exec('nsenter', [...enter, 'ip', 'netns', 'exec', 'pod1', ...netperf])
  const tps = Number(/^THROUGHPUT=(.+)$/m.exec(stdout)?.[1])
  if (!(tps > 0)) throw new Error(`netperf said: ${stdout}`)
  return tps
}

/** The same netperf test through the app and bare, in turn, the order alternating; ratio pair by pair. */
export const tpsRatio: Bench = async (app) => {
  const session = await app.session('big-tcp-ipv4')
  const deployed = await app.run(session, 'deploy', { solve: true })
  const address = deployed.placement?.server.addresses.ipv4
  if (address === undefined || address === null || app.server.pid === undefined)
    throw new Error('netperf was not deployed')
  const holder = await findHolder(app.server.pid)
  const throughApp = async (): Promise<number> => {
    await setTimeout(REST_MS)
    const run = await app.run(session, 'baseline', { params: { repeats: 1, seconds: SECONDS } }, SECONDS * 1000 + 200)
    const tps = run.repeats[0]?.measurement?.tps
    if (tps === undefined) throw new Error(run.problem?.message ?? 'nothing was measured')
    return tps
  }
  const ratios: number[] = []
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const appFirst = pair % 2 === 0
    const first = appFirst ? await throughApp() : await bareTps(holder, address)
    const second = appFirst ? await bareTps(holder, address) : await throughApp()
    ratios.push(appFirst ? first / second : second / first)
  }
  return {
    what: 'TPS through Expresslane over TPS of bare netperf',
    bound: '>= 0.99',
    measured: spread(ratios, 3),
    how: `median of ${PAIRS} interleaved pairs of ${SECONDS} s; bare: the classic lab's command, in the same pods`,
    holds: median(ratios) >= LIMIT,
  }
}
