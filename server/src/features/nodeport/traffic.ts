/** Sends packets from the client, and counts the packets that arrive at the backend. */
import { CLIENT, type Role } from '@expresslane/shared/testbed/placement'
import type { Hook } from '@expresslane/shared/features/nodeport/hooks'
import { BACKEND, FORWARDER, NODE_PORT } from '@expresslane/shared/features/nodeport/roles'
import { LabError } from '@expresslane/shared/base/errors'
import { collect, withoutOutput } from '../../benchmarks/collect.ts'
import type { BenchmarkContext, Invocation } from '../../benchmarks/invocation.ts'
import type { Target } from '../../testbeds/target.ts'
import { countersArgv, generateArgv, handshakeArgv, sinkArgv, type GenerateOptions } from '../../tools/nodeport/argv.ts'
import { findHelperError, parseGeneratorLine, parseHandshake, parseSinkLine } from '../../tools/nodeport/lines.ts'
import { BACKEND_PORT } from './services.ts'

/** At the client and at the backend; at the node, the client's side. */
const DEVICE = 'eth0'
const HANDSHAKE_MS = 2_000
const NS_A_SECOND = 1e9

/** The result of a generator. Times are those of its thread, with all that the kernel does in its context. */
export interface Sent {
  readonly seconds: number
  readonly packets: number
  /** Packets that the rate asks for; as many as were sent if it asks for as many as possible. */
  readonly offered: number
  readonly flows: number
  /** CPU time in ns, without waiting for the next packet's time. */
  readonly cpuNs: number
}

/** Counts and drops packets where they end. */
export interface Sink {
  /** Packets that have arrived. */
  count(): Promise<number>
  stop(): Promise<void>
}

/**
 * With root the packets are made in the driver and, where it has XDP, counted there; else they pass a packet socket and a
 * filter. The way is the same for all arms of a testbed.
 */
function hasRoot({ testbed }: BenchmarkContext): boolean {
  return testbed.primitives.bpf === null
}

/** Where the helper runs: with the server's rights for BPF, else as everything in the pod. */
function targetOf(role: Role, context: BenchmarkContext): Target {
  return hasRoot(context) ? `net:${role}` : role
}

function failed(what: string, lines: readonly string[]): LabError {
  const error = findHelperError(lines)
  return new LabError(
    'tool_failed',
    `${what} failed${error === null ? '' : `: ${error.message}`}.`,
    'Run the step again. If that does not help, press Reset to remove the pods, and start again.',
    { detail: lines.join('\n').slice(-2_000) },
  )
}

/**
 * Calls the NodePort by hand, over TCP and UDP.
 *
 * @throws LabError `datapath_not_taken` if a call is not answered
 */
export async function requireAnswer(address: string, context: BenchmarkContext): Promise<void> {
  const argv = handshakeArgv({ address, port: NODE_PORT, timeoutMs: HANDSHAKE_MS })
  const lines: string[] = []
  for await (const item of context.testbed.exec(CLIENT, argv, context)) {
    if (item.type === 'line' && item.stream === 'stdout') lines.push(item.text)
  }
  const [line] = lines
  const answer = line === undefined ? null : parseHandshake(line)
  if (answer?.ok === true) return
  const silent = [answer?.tcp?.ok === true ? null : 'TCP', answer?.udp?.ok === true ? null : 'UDP']
  throw new LabError(
    'datapath_not_taken',
    `The NodePort does not answer over ${silent.filter((one) => one !== null).join(' and ')}, so nothing is measured.`,
    'Run the step again. If that does not help, press Reset to remove the pods, and start again.',
    { detail: line ?? 'no output' },
  )
}

/**
 * Starts to count and drop the packets that arrive at the backend; at the node, on the client's side, if it does not
 * forward.
 *
 * @throws LabError `tool_failed`; `signal.reason`
 */
export async function startSink(hook: Hook, context: BenchmarkContext): Promise<Sink> {
  const ending = new AbortController()
  const [role, port] = hook === 'none' ? [FORWARDER, NODE_PORT] : [BACKEND, BACKEND_PORT]
  const target = targetOf(role, context)
  const isInDriver = hasRoot(context) && context.testbed.primitives.xdp === null
  const argv = sinkArgv({ method: isInDriver ? 'xdp' : 'socket', device: DEVICE, port })
  const ready = Promise.withResolvers<void>()
  const words: string[] = []
  async function run(): Promise<void> {
    for await (const item of context.testbed.exec(target, argv, withoutOutput(context, ending.signal))) {
      if (item.type === 'exit') break
      if (item.stream === 'stderr') words.push(item.text)
      else if (parseSinkLine(item.text).type === 'ready') ready.resolve()
    }
    throw failed(`Counting the packets at the ${role}`, words)
  }
  const running = run().catch((error: unknown) => ready.reject(error))
  await ready.promise
  return {
    async count() {
      const text = await collect(context.testbed, target, countersArgv('sink'), withoutOutput(context))
      const line = parseSinkLine(text.trim())
      if (line.type !== 'counters') throw failed(`Reading the packets at the ${role}`, [text])
      return line.packets
    },
    async stop() {
      ending.abort(new Error('the packets are counted'))
      await running
    },
  }
}

/** The same context for a later attempt: its samples follow the samples of the attempts before. */
export function laterBy(seconds: number, context: BenchmarkContext): BenchmarkContext {
  return {
    ...context,
    emit(event) {
      if (event.type !== 'sample.taken') context.emit(event)
      else context.emit({ ...event, sample: { ...event.sample, atSeconds: event.sample.atSeconds + seconds } })
    },
  }
}

/** Sends packets to the NodePort. Emits the rate as samples. @throws LabError `tool_failed`; `signal.reason` */
export async function send(
  { address, repeat }: Pick<Invocation, 'address' | 'repeat'>,
  load: Pick<GenerateOptions, 'load' | 'frameBytes' | 'seconds'>,
  context: BenchmarkContext,
  sampled: boolean,
): Promise<Sent> {
  const argv = generateArgv({
    ...load,
    method: hasRoot(context) ? 'xdp' : 'ring',
    device: DEVICE,
    address,
    port: NODE_PORT,
  })
  const words: string[] = []
  let sent: Sent | null = null
  let before = { atNs: 0, sent: 0 }
  for await (const item of context.testbed.exec(targetOf(CLIENT, context), argv, withoutOutput(context))) {
    if (item.type === 'exit') continue
    if (item.stream === 'stderr') {
      words.push(item.text)
      continue
    }
    const line = parseGeneratorLine(item.text)
    if (line.type === 'ready') continue
    // Somebody else ended it: its packets until then are no measurement.
    if (line.type === 'end' && line.ended === 'signal') continue
    if (line.type === 'end') {
      const { atNs, sent: packets, offered, flows, cpuNs, spinNs } = line
      sent = { seconds: atNs / NS_A_SECOND, packets, offered, flows, cpuNs: cpuNs - spinNs }
      continue
    }
    const seconds = (line.atNs - before.atNs) / NS_A_SECOND
    if (!sampled || seconds <= 0) continue
    const values = { forwardRate: (line.sent - before.sent) / seconds }
    const sample = { atSeconds: line.atNs / NS_A_SECOND, seconds, omitted: false, values }
    context.emit({ type: 'sample.taken', repeat, sample })
    before = line
  }
  if (sent === null || sent.packets === 0) throw failed('Sending packets to the NodePort', words)
  return sent
}
