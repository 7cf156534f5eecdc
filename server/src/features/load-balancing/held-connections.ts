/** Holds connections while a backend or the balancer changes, and counts those that go on. */
import {
  heldConnectionsBenchmark,
  type BalancingEvent,
} from '@expresslane/shared/features/load-balancing/held-connections'
import { backends, balancers, PORT } from '@expresslane/shared/features/load-balancing/places'
import { BALANCER, MOST_BACKENDS, STANDBY } from '@expresslane/shared/features/load-balancing/roles'
import { balancingIn, type Balancing } from '@expresslane/shared/features/load-balancing/settings'
import { assertNever, LabError } from '@expresslane/shared/base/errors'
import { maxOf } from '@expresslane/shared/measure/extremes'
import { CLIENT, type Placement, type Role } from '@expresslane/shared/testbed/placement'
import { withoutOutput } from '../../benchmarks/collect.ts'
import type { BenchmarkContext, RunBenchmark } from '../../benchmarks/invocation.ts'
import { ipBatchArgv } from '../../tools/ipvs.ts'
import type { Pods } from '../feature.ts'
import { podsOn } from '../pods.ts'
import { clientArgv, goOnArgv, parseClientLine } from './client.ts'
import { bucketsOf, clientRoute, serviceRoute } from './commands.ts'
import { backendPid, loadRules, together } from './pod-settings.ts'
import { connectionsArgv, parseConnections, readTable, wrongBuckets } from './reading.ts'

type Tools = Pick<Pods, 'run' | 'look' | 'feed'>

function failed(message: string, detail = ''): LabError {
  const remedy = 'Run the step again. If that does not help, press Reset to remove the pods, and start again.'
  return new LabError('tool_failed', message, remedy, { detail })
}

interface Client {
  /** Resolves once all connections are tried, with the number of those that answered. */
  readonly opened: Promise<number>
  /** Asks each connection again. @returns the number of those that answered */
  goOn(): Promise<number>
  /** Ends all connections. */
  stop(): Promise<void>
}

function startClient(address: string, connections: number, context: BenchmarkContext, { run }: Tools): Client {
  const ending = new AbortController()
  const [opened, answered] = [Promise.withResolvers<{ count: number; pid: number }>(), Promise.withResolvers<number>()]
  const words: string[] = []
  async function listen(): Promise<void> {
    const quiet = withoutOutput(context, ending.signal)
    for await (const item of context.testbed.exec(CLIENT, clientArgv(address, PORT, connections), quiet)) {
      if (item.type === 'exit') break
      const line = parseClientLine(item.text)
      if (line === null) words.push(item.text)
      else if (line.type === 'opened') opened.resolve(line)
      else answered.resolve(line.count)
    }
    throw failed('The client ended before its connections were counted.', words.join('\n'))
  }
  const running = listen().catch((error: unknown) => {
    opened.reject(error)
    answered.reject(error)
  })
  // The first of the two that is waited for says why.
  answered.promise.catch(() => null)
  return {
    opened: opened.promise.then(({ count }) => count),
    async goOn() {
      const { pid } = await opened.promise
      await run(CLIENT, goOnArgv(pid))
      return answered.promise
    },
    async stop() {
      ending.abort(new Error('the connections are counted'))
      await running
    },
  }
}

/** The balancing after an event. @throws LabError `bad_request` where no backend is left, or no other is there */
function after(event: BalancingEvent, of: Balancing): Balancing {
  const change = { leaves: -1, drains: -1, joins: 1, takeover: 0 }[event]
  const count = of.backends + change
  if (count >= 1 && count <= MOST_BACKENDS) return { ...of, backends: count }
  throw new LabError(
    'bad_request',
    `With ${of.backends} backends, none can ${change < 0 ? 'leave' : 'join'}.`,
    `Choose from 2 to ${MOST_BACKENDS - 1} backends.`,
  )
}

async function takeOver({ feed }: Tools): Promise<void> {
  await together([
    ...backends.map(({ role }) => feed(role, { argv: ipBatchArgv, input: `${clientRoute(STANDBY)}\n` })),
    feed(CLIENT, { argv: ipBatchArgv, input: `${serviceRoute(STANDBY)}\n` }),
  ])
}

async function end(role: Role, placement: Placement, { run }: Tools): Promise<void> {
  const pid = backendPid(placement, role)
  if (pid === undefined) throw failed('The process of the backend is not known.')
  await run(role, ['bash', '-c', 'kill "$0"', `${pid}`])
}

/** Makes the event happen. @returns the balancer that the client's packets pass afterwards */
async function happen(event: BalancingEvent, of: Balancing, placement: Placement, tools: Tools): Promise<Role> {
  const then = after(event, of)
  switch (event) {
    case 'takeover':
      await takeOver(tools)
      return STANDBY
    case 'leaves':
      await end(backends[of.backends - 1]?.role ?? '', placement, tools)
      break
    case 'drains':
    case 'joins':
      break
    default:
      return assertNever(event)
  }
  await together(balancers.map(({ role }) => loadRules(then, role, tools)))
  return BALANCER
}

/** The far ends' ports of each backend's connections, in the order of the backends. */
async function portsByBackend({ look }: Tools): Promise<number[][]> {
  return Promise.all(backends.map(async ({ role }) => parseConnections(await look(role, connectionsArgv), 'remote')))
}

/** @throws LabError `tool_failed` if the kernel's list and the client do not agree; the testbed's errors; `signal.reason` */
export const runHeldConnections: RunBenchmark = async (invocation, context) => {
  const { event, connections } = heldConnectionsBenchmark.parse(invocation.benchmark)
  const { address, placement, fingerprint } = invocation
  const of = balancingIn(fingerprint.settings)
  const tools = podsOn(context.testbed, placement, context)
  const startedAt = context.now()
  const client = startClient(address, connections, context, tools)
  try {
    await client.opened
    const before = await portsByBackend(tools)
    const wrongBefore = wrongBuckets(await readTable(tools), bucketsOf(of))
    const passes = await happen(event, of, placement, tools)
    const answered = await client.goOn()
    const kept = new Set(parseConnections(await tools.look(CLIENT, connectionsArgv), 'local'))
    if (kept.size !== answered) throw failed(`${answered} connections answered, and the kernel has ${kept.size}.`)
    const wrongAfter = wrongBuckets(await readTable(tools, passes), bucketsOf(after(event, of)))
    const counts = before.map((ports) => ports.length)
    const opened = counts.reduce((sum, count) => sum + count, 0)
    const brokenWithBackend =
      event === 'leaves' ? (before[of.backends - 1] ?? []).filter((port) => !kept.has(port)).length : 0
    return {
      startedAt,
      elapsedSeconds: (context.now() - startedAt) / 1_000,
      values: {
        keptConnections: answered,
        brokenNeedlessly: opened - answered - brokenWithBackend,
        brokenWithBackend,
        openedConnections: opened,
        largestShare: opened === 0 ? null : (100 * maxOf(counts)) / opened,
        wrongBuckets: wrongBefore + wrongAfter,
      },
      after: null,
    }
  } finally {
    await client.stop()
  }
}
