/** The runs of the greatest rate that count, on a node whose tools answer as scripted. */
import { epochMs } from '@expresslane/shared/base/units'
import { describe, expect, test } from 'vitest'
import type { Measured } from '../../../src/benchmarks/invocation.ts'
import { runForwardMax } from '../../../src/features/nodeport/forward-max.ts'
import type { ExecOutput } from '../../../src/testbeds/target.ts'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { note, type Noted } from '../../contract/contract-kit.ts'
import { createFakeTestbed } from '../../support/fakes/fake-testbed.ts'
import { environmentWith } from './scripted-node.ts'

const SECONDS = 0.5
const SENT = 1_000
const benchmark = { tool: 'forward-max', flows: 1, packetBytes: 64 }

interface Script {
  /** Packets that each attempt loses. */
  readonly losses: readonly number[]
  /** Packets that nftables counts of each attempt. */
  readonly nftables?: number
}

/** A node that does not forward: the sink is at its first device, and no hook may count anything. */
function scripted({ losses, nftables = 0 }: Script): { testbed: Testbed; ran: string[] } {
  const ran: string[] = []
  let [arrived, attempts] = [0, 0]

  function answer(argv: readonly string[], options: ReadonlyMap<string, string>): object[] | null {
    const sent = (atNs: number, packets: number): object => ({
      atNs,
      offered: packets,
      sent: packets,
      refused: 0,
      cpuNs: 400_000_000,
      spinNs: 0,
    })
    if (argv[0] === 'nft') {
      const counters = ['ip', 'ip6'].map((family) => ({
        counter: { family, table: 'kube-proxy', name: 'measured-udp', packets: attempts * nftables },
      }))
      return [{ nftables: nftables > 0 ? counters : [] }, { nftables: [] }]
    }
    // The node's kernel has no files of IPVS or iptables-legacy.
    if (argv[0] === 'find') return []
    if (argv[1] === 'counters' && options.get('--of') === 'sink')
      return [{ type: 'counters', of: 'sink', atNs: 1, packets: arrived }]
    if (argv[1] !== 'generate') return null
    if (options.get('--rate') !== 'max') return [{ type: 'end', ended: 'time', flows: 1, ...sent(100_000_000, 500) }]
    arrived += SENT - (losses[attempts] ?? 0)
    attempts += 1
    return [
      { type: 'progress', ...sent(200_000_000, 400) },
      { type: 'end', ended: 'time', flows: 1, ...sent(SECONDS * 1e9, SENT) },
    ]
  }

  async function* exec(...[target, argv, { signal }]: Parameters<Testbed['exec']>): AsyncGenerator<ExecOutput> {
    const options = new Map(
      argv.flatMap((one, at) => (one.startsWith('--') ? [[one, argv[at + 1] ?? ''] as const] : [])),
    )
    const line = (of: object): ExecOutput => ({ type: 'line', stream: 'stdout', text: JSON.stringify(of) })
    if (argv[1] === 'sink' || argv[1] === 'generate') ran.push(`${target} ${argv.slice(1).join(' ')}`)
    if (argv[1] === 'sink') {
      yield line({ type: 'ready', method: 'socket', pid: 1, device: 'eth0' })
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      signal.throwIfAborted()
    }
    const lines = answer(argv, options)
    for (const one of lines ?? []) yield line(one)
    yield { type: 'exit', code: lines === null ? 1 : 0, signal: null }
  }

  return { testbed: { ...createFakeTestbed(), exec }, ran }
}

async function measure(script: Script): Promise<Noted & { measured: Measured; ran: string[] }> {
  const { testbed, ran } = scripted(script)
  const noted = note()
  const placement = await testbed.deploy({ roles: ['client', 'server'] }, 'other-node', noted)
  const environment = environmentWith('none')
  const measured = await runForwardMax(
    {
      arm: 'none',
      caseId: null,
      family: 'ipv4',
      benchmark,
      address: '10.41.0.1',
      placement,
      repeat: 1,
      warmup: false,
      seconds: SECONDS,
      previous: null,
      fingerprint: environment,
      before: null,
    },
    { ...noted, testbed, now: () => epochMs.parse(1) },
  )
  return { ...noted, measured, ran }
}

describe('a run', () => {
  test('without a loss counts', async () => {
    const { measured, ran } = await measure({ losses: [0] })
    expect(measured).toMatchObject({
      elapsedSeconds: SECONDS,
      values: {
        forwardRate: 2_000,
        cpuPerPacket: 400_000,
        cpuShare: 80,
        lost: 0,
        discarded: 0,
        elsewhere: 0,
        hookShare: null,
      },
    })
    // Without forwarding the packets end at the node; the flow is opened before.
    expect(ran).toEqual([
      'forwarder sink --method socket --device eth0 --port 30080',
      expect.stringMatching(/^client generate .* --rate 5000 --flows 1 /),
      expect.stringMatching(/^client generate .* --rate max --flows 1 /),
    ])
  })

  test('with a loss is made again, and its samples follow', async () => {
    const { measured, events } = await measure({ losses: [1, 0] })
    expect(measured.values).toMatchObject({ forwardRate: 2_000, lost: 0, discarded: 1 })
    const samples = events.flatMap((event) => (event.type === 'sample.taken' ? [event.sample.atSeconds] : []))
    expect(samples).toEqual([0.2, 0.2 + SECONDS])
  })

  test('has no value if it loses packets each time', async () => {
    const { measured, ran } = await measure({ losses: [1, 7, 2, 0] })
    expect(measured.values).toMatchObject({ forwardRate: null, cpuPerPacket: null, lost: 2, discarded: 3 })
    expect(ran.filter((one) => one.includes('--rate max'))).toHaveLength(3)
  })

  test('fails if a hook counted its packets', async () => {
    await expect(measure({ losses: [0], nftables: 4 })).rejects.toMatchObject({ code: 'datapath_not_taken' })
  })
})
