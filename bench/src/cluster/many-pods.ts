/** A room asks for a thousand testbeds within a minute: the cost for the server, up to the connection to each pod. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { BenchApp } from '../support/app.ts'
import { queuedMs } from '../support/queued.ts'
import { textOf } from '../support/text-of.ts'
import type { Bench, Row } from '../support/table.ts'
import { gather } from '../workshop/crowd-client.ts'
import type { CrowdReport } from '../workshop/crowd-report.ts'
import { peakMemory } from '../workshop/memory.ts'
import { openDoor } from '../workshop/participant.ts'
import { createAgents, NOBODY, startKubelet } from './fake-kubelet.ts'
import { cpuMs, onHub } from './hub.ts'
import { LABS, PEOPLE, peopleReport, WITHIN_MS, type PeopleReport } from './many-plan.ts'

const FOLLOWERS = 100
const TESTBEDS = PEOPLE * LABS.length
const MOST_CPU_MS = 50
const MOST_CALLS = 15
const MOST_P99_MS = 150
const MOST_MB = 400
/** The presented measurement plays for 8 s. */
const AGAIN_MS = 12_000
/** The connected agent has been asked for its list of machines, which a fake pod does not have. */
const CONNECTED = 'The image of a pod has no kernel for the counted machine.'

type Fail = (why: unknown) => void

/** Presents a recording's measurement. @returns plays it */
async function present(app: BenchApp, fail: Fail): Promise<() => void> {
  const session = await app.session('big-tcp-ipv4', 'recording:big-tcp-ipv4')
  await app.run(session, 'read-off', { solve: true })
  await app.ask('PUT', '/api/presentation', { sessionId: session, stepId: 'baseline' })
  return () => void app.ask('POST', `/api/sessions/${session}/steps/baseline/run`, {}).catch(fail)
}

/** The instructor's page: reads the board whenever the server says that it has changed. @returns closes it */
function openBoard(app: BenchApp, fail: Fail): () => void {
  const { origin, searchParams } = new URL(app.link)
  const headers = { authorization: `Bearer ${searchParams.get('token')}` }
  const socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/api/stream`, { headers })
  socket.on('message', (data) => {
    if (textOf(data).startsWith('{"type":"room"')) app.ask('GET', '/api/room').catch(fail)
  })
  return () => socket.terminate()
}

interface Measured {
  readonly people: PeopleReport
  readonly followers: CrowdReport
  readonly pods: number
  readonly seconds: number
  readonly cpu: number
  readonly calls: number
  readonly peak: number
  /** Seconds for which the server's main thread could run and had no processor. */
  readonly queued: number
}

function rowsOf({ people, followers, pods, seconds, cpu, calls, peak, queued }: Measured): Row[] {
  const connected = people.ends[CONNECTED] ?? 0
  for (const [end, count] of Object.entries(people.ends)) console.error(`${count} ended: ${end}`)
  const beside = `${PEOPLE} participants, ${FOLLOWERS} followers and the board are connected`
  const lates = [people.p99, followers.p99]
  return [
    {
      what: 'Testbeds in pods, for the room’s server',
      bound: `${TESTBEDS} connected; each <= ${MOST_CPU_MS} ms of CPU time, <= ${MOST_CALLS} requests to the API server; <= ${MOST_MB} MB`,
      measured: `${connected} connected in ${seconds.toFixed(0)} s; ${(cpu / TESTBEDS).toFixed(1)} ms, ${(calls / TESTBEDS).toFixed(1)} requests; ${peak.toFixed(0)} MB`,
      how: `fake pods in the real API server, asked for within ${WITHIN_MS / 1000} s, while ${beside}; from the request to the agent’s answer that it has no machine, not the lab itself (that is in the bench classroom); ${pods} pods; all of the server’s CPU time counts, also for the presented measurement`,
      holds:
        [connected, pods].every((count) => count === TESTBEDS) &&
        cpu / TESTBEDS <= MOST_CPU_MS &&
        calls / TESTBEDS <= MOST_CALLS &&
        peak <= MOST_MB,
    },
    {
      what: 'Events meanwhile, from their own time to their arrival',
      bound: `p99 <= ${MOST_P99_MS} ms, none lost`,
      measured: `participants ${lates[0]} ms, followers ${lates[1]} ms, ${followers.lost + followers.doubled} lost or doubled`,
      how: `${people.events} deliveries to participants, ${followers.events} events to each of ${followers.followers} followers; the server’s main thread waited for a processor for ${queued.toFixed(0)} s`,
      holds: followers.lost + followers.doubled === 0 && lates.every((late) => late !== null && late <= MOST_P99_MS),
    },
  ]
}

async function room(app: BenchApp, requests: readonly string[], agents: () => number): Promise<Row[]> {
  const pid = app.server.pid ?? Number.NaN
  const failure = Promise.withResolvers<never>()
  failure.promise.catch(() => {})
  const kubelet = await startKubelet(failure.reject)
  const script = join(import.meta.dirname, 'many-people.ts')
  const child = spawn(process.execPath, [script, app.origin, await openDoor(app)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const crowd = await gather(app, null)
  const closeBoard = openBoard(app, failure.reject)
  try {
    await lines.next()
    await crowd.connect(FOLLOWERS)
    const play = await present(app, failure.reject)
    // The first events of a process take it longer: its code is compiled then.
    play()
    await delay(AGAIN_MS)
    await crowd.connect(FOLLOWERS)
    play()
    const timer = setInterval(play, AGAIN_MS)
    const [cpu, calls, began, waited] = [await cpuMs(pid), requests.length, performance.now(), queuedMs(`${pid}`)]
    child.stdin.write('go\n')
    const { value, done } = await Promise.race([lines.next(), failure.promise])
    if (done === true) throw new Error('the people’s process has ended')
    const ended = {
      cpu: (await cpuMs(pid)) - cpu,
      calls: requests.length - calls,
      seconds: (performance.now() - began) / 1000,
      queued: (queuedMs(`${pid}`) - waited) / 1000,
    }
    clearInterval(timer)
    await delay(AGAIN_MS)
    const people = peopleReport.parse(JSON.parse(value))
    const peak = await peakMemory(pid)
    return rowsOf({
      ...ended,
      people,
      followers: await crowd.report(),
      pods: Math.min(kubelet.running(), agents()),
      peak,
    })
  } finally {
    closeBoard()
    child.kill()
    await crowd.close()
    await kubelet.close()
  }
}

/** Starts a server of its own. */
export const manyPods: Bench = async () => {
  const agents = createAgents()
  return onHub((app, requests) => room(app, requests, agents.count), {
    env: { EXPRESSLANE_PARTICIPANTS: String(PEOPLE) },
    edit: (text) => text.replace('restartPolicy: Never', `schedulerName: ${NOBODY}\n    restartPolicy: Never`),
    upgrade: agents.upgrade,
  })
}
