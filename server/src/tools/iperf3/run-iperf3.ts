/** Runs iperf3 from client to server, with a server in the server pod for the time of one client. */
import { iperf3Benchmark } from '@expresslane/shared/tools/iperf3/iperf3'
import { LabError } from '@expresslane/shared/base/errors'
import { CLIENT, SERVER } from '@expresslane/shared/testbed/placement'
import {
  createIperf3Reader,
  IPERF3_PORT,
  iperf3ClientArgv,
  iperf3ServerArgv,
  isListening,
  isPortTaken,
  type Iperf3Options,
} from './iperf3.ts'
import { createWords, iperf3Failed } from './errors.ts'
import type { StreamReader } from '../stream-reader.ts'
import { parseVersion, versionArgv } from '../versions.ts'
import type { ExecOutput } from '../../testbeds/target.ts'
import { collect, withoutOutput } from '../../benchmarks/collect.ts'
import type { BenchmarkContext, RunBenchmark } from '../../benchmarks/invocation.ts'
import { measureStream, runStreamClient } from '../../benchmarks/stream.ts'

/** A leftover server keeps its port until it ends, so the next port is tried. */
const PORTS_TRIED = 8
/** After its client has ended, a server ends within a moment. */
const SERVER_ENDS_MS = 5_000

/** Each step asks for the version of iperf3 once. */
const versions = new WeakMap<BenchmarkContext, Promise<string | null>>()

function versionOf(context: BenchmarkContext): Promise<string | null> {
  const known = versions.get(context)
  if (known !== undefined) return known
  const asked = collect(context.testbed, CLIENT, versionArgv('iperf3'), context).then((text) =>
    parseVersion('iperf3', text),
  )
  versions.set(context, asked)
  return asked
}

interface Server {
  readonly port: number
  /** Waits until the server ends, or stops it. */
  stop(now: boolean): Promise<void>
}

type Exit = Extract<ExecOutput, { type: 'exit' }>

/** @returns null if another server uses the port */
async function startServer(port: number, context: BenchmarkContext): Promise<Server | null> {
  const { testbed } = context
  const ending = new AbortController()
  // Its output repeats the client's, from the other side.
  const quiet = withoutOutput(context, ending.signal)
  const words = createWords()
  const listening = Promise.withResolvers<boolean>()
  let taken = false
  async function run(): Promise<void> {
    let exit: Exit | null = null
    for await (const item of testbed.exec(SERVER, iperf3ServerArgv(port), quiet)) {
      if (item.type === 'exit') exit = item
      else {
        words.add(item.text)
        if (isListening(item.text)) listening.resolve(true)
        if (isPortTaken(item.text)) taken = true
      }
    }
    if (taken) listening.resolve(false)
    else listening.reject(iperf3Failed(exit ?? { code: null, signal: null }, words.text(), 'server'))
  }
  const running = run().catch((error: unknown) => listening.reject(error))
  if (!(await listening.promise)) return null
  return {
    port,
    async stop(now) {
      const end = (): void => ending.abort(new Error('the iperf3 server is no longer needed'))
      if (now) end()
      const timer = setTimeout(end, SERVER_ENDS_MS)
      await running
      clearTimeout(timer)
    },
  }
}

async function listen(context: BenchmarkContext): Promise<Server> {
  for (let tried = 0; tried < PORTS_TRIED; tried += 1) {
    const server = await startServer(IPERF3_PORT + tried, context)
    if (server !== null) return server
  }
  throw new LabError(
    'tool_failed',
    'No iperf3 server can listen in the server pod: all its ports are in use.',
    'Run the step again. If that does not help, press Reset to remove the pods, and start again.',
    { detail: `tried ports ${IPERF3_PORT} to ${IPERF3_PORT + PORTS_TRIED - 1}` },
  )
}

/**
 * Starts a server for one test, waits until it listens, and lets `use` run the client. Afterwards the server is
 * stopped, even if the client failed.
 *
 * @throws LabError `tool_missing`, `tool_failed`, the errors of `use`; `signal.reason`
 */
async function withIperf3<T>(
  options: Omit<Iperf3Options, 'version' | 'port'>,
  context: BenchmarkContext,
  use: (argv: string[], reader: StreamReader) => Promise<T>,
): Promise<T> {
  const version = await versionOf(context)
  const server = await listen(context)
  let well = false
  try {
    const all = { ...options, version, port: server.port }
    const result = await use(iperf3ClientArgv(all), createIperf3Reader(all))
    well = true
    return result
  } finally {
    await server.stop(!well)
  }
}

/** @throws LabError the errors of iperf3's reader and the testbed; `signal.reason` */
export const runIperf3: RunBenchmark = (invocation, context) => {
  const { address, seconds, benchmark } = invocation
  const { intervalSeconds, omitSeconds } = iperf3Benchmark.parse(benchmark)
  return measureStream(invocation, context, () =>
    withIperf3({ address, seconds, omitSeconds, intervalSeconds }, context, (argv, reader) =>
      runStreamClient(invocation, argv, reader, context),
    ),
  )
}
