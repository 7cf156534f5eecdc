/** A node that forwards with nftables, whose tools answer as scripted: without a kernel and without time. */
import { everyPrimitive } from '@expresslane/shared/testbed/primitive'
import { NODEPORT_HOOK } from '@expresslane/shared/features/nodeport/settings'
import { fingerprint, type Fingerprint } from '@expresslane/shared/measure/fingerprint'
import type { Hook } from '@expresslane/shared/features/nodeport/hooks'
import { epochMs } from '@expresslane/shared/base/units'
import type { BenchmarkContext, Invocation } from '../../../src/benchmarks/invocation.ts'
import type { ExecOutput } from '../../../src/testbeds/target.ts'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { note, type Noted } from '../../contract/contract-kit.ts'
import { createFakeTestbed } from '../../support/fakes/fake-testbed.ts'

const SECONDS = 0.5

/** A call of the generator: its packets and its end. */
export interface Sending {
  readonly sent: number
  /** The sent packets that never arrive. */
  readonly lost?: number
  /** New flows that nftables counts. */
  readonly counted?: number
  readonly cpuNs?: number
  readonly spinNs?: number
  /** How the call ends; null without a last line. */
  readonly ended?: 'time' | 'signal' | null
  /** The error that the generator prints to stderr. */
  readonly error?: object
}

interface Script {
  /** The generator's calls, in their order. */
  readonly sendings: readonly Sending[]
  /** Whether the NodePort answers over TCP and over UDP. */
  readonly answers?: readonly [tcp: boolean, udp: boolean]
  /** Packets that a rule of iptables counts in each family when something is sent. */
  readonly iptables?: number
  /** The error that the sink prints instead of its ready line. */
  readonly sinkError?: object
  /** Whether the node has the rights for BPF. */
  readonly root?: boolean
}

export interface ScriptedNode {
  readonly invocation: Invocation
  readonly context: BenchmarkContext & Noted
  /** The helper's calls: where and what. */
  readonly ran: readonly string[]
}

const line = (of: object, stream: 'stdout' | 'stderr' = 'stdout'): ExecOutput => ({
  type: 'line',
  stream,
  text: JSON.stringify(of),
})

function generated({ sent, cpuNs = 0, spinNs = 0, ended = 'time', error }: Sending): ExecOutput[] {
  const figures = { offered: sent, sent, refused: 0, cpuNs, spinNs }
  return [
    line({ type: 'ready', method: 'ring', pid: 1, device: 'eth0', flows: 1, size: 64 }),
    line({ type: 'progress', atNs: 200_000_000, ...figures, sent: 1_000, offered: 1_000 }),
    line({ type: 'progress', atNs: 400_000_000, ...figures, sent: 3_000, offered: 3_000 }),
    ...(error === undefined ? [] : [line(error, 'stderr')]),
    ...(ended === null ? [] : [line({ type: 'end', ended, flows: sent, atNs: SECONDS * 1e9, ...figures })]),
  ]
}

/** The conditions of a measurement on such a node. */
export function environmentWith(hook: Hook): Fingerprint {
  return fingerprint.parse({
    testbed: 'netns',
    name: 'this machine',
    incarnation: 'one',
    kernel: '6.18',
    os: 'none',
    cpu: { model: 'none', count: 2, governor: null },
    load: null,
    versions: {},
    settings: { [NODEPORT_HOOK]: hook },
    mtu: null,
    placement: null,
    images: {},
  })
}

/** @param tool of the benchmark that is invoked */
export async function scriptedNode(tool: string, script: Script): Promise<ScriptedNode> {
  const { sendings, answers = [true, true], iptables = 0, sinkError, root = false } = script
  const ran: string[] = []
  let [calls, arrived, counted] = [0, 0, 0]

  function answer(argv: readonly string[]): ExecOutput[] {
    if (argv[0] === 'nft') {
      const of = (family: string): object => ({
        counter: { family, table: 'kube-proxy', name: 'measured-udp', packets: family === 'ip' ? counted : 0 },
      })
      const nat = { table: { family: 'ip', name: 'nat' } }
      return [line({ nftables: ['ip', 'ip6'].map(of) }), line({ nftables: iptables > 0 ? [nat] : [] })]
    }
    if (argv[0]?.startsWith('ip') === true && iptables > 0) {
      const rule = `-A KUBE-NODEPORTS -p udp -m udp --dport 30080 -c ${calls * iptables} 0 -j KUBE-EXT-A`
      return [{ type: 'line', stream: 'stdout', text: rule }]
    }
    if (argv[1] === 'handshake') {
      const [tcp, udp] = answers.map((ok) => (ok ? { ok, connectNs: 1, echoNs: 1 } : { ok, code: 'timeout' }))
      return [line({ type: 'handshake', ok: !answers.includes(false), address: argv[3], port: 30_080, tcp, udp })]
    }
    if (argv[1] === 'counters' && argv[3] === 'sink') {
      return [line({ type: 'counters', of: 'sink', atNs: 1, packets: arrived })]
    }
    if (argv[1] !== 'generate') return []
    const sending = sendings[calls] ?? { sent: 0 }
    calls += 1
    arrived += sending.sent - (sending.lost ?? 0)
    counted += sending.counted ?? 0
    return generated(sending)
  }

  async function* exec(...[target, argv, { signal }]: Parameters<Testbed['exec']>): AsyncGenerator<ExecOutput> {
    if (argv[1] === 'sink' || argv[1] === 'generate' || argv[1] === 'handshake')
      ran.push(`${target} ${argv.slice(1).join(' ')}`)
    if (argv[1] === 'sink' && sinkError === undefined) {
      yield line({ type: 'ready', method: 'socket', pid: 1, device: 'eth0' })
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      signal.throwIfAborted()
    }
    if (argv[1] === 'sink' && sinkError !== undefined) yield line(sinkError, 'stderr')
    const lines = answer(argv)
    yield* lines
    // The node's kernel has no files of IPVS or iptables-legacy.
    yield { type: 'exit', code: lines.length === 0 && argv[0] !== 'find' ? 1 : 0, signal: null }
  }

  const testbed: Testbed = {
    ...createFakeTestbed(),
    exec,
    primitives: { ...everyPrimitive, bpf: root ? null : 'BPF needs root here.' },
  }
  const noted = note()
  const environment = environmentWith('nftables')
  return {
    ran,
    invocation: {
      arm: 'nftables',
      caseId: null,
      family: 'ipv4',
      benchmark: { tool, packetBytes: 64 },
      address: '10.41.0.1',
      placement: await testbed.deploy({ roles: ['client', 'server'] }, 'other-node', noted),
      repeat: 1,
      warmup: false,
      seconds: SECONDS,
      previous: null,
      fingerprint: environment,
      before: null,
    },
    context: { ...noted, testbed, now: () => epochMs.parse(1) },
  }
}
