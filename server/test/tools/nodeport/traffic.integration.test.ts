/** The generator, the sink and what reads and sets devices: as root, and as an ordinary user. */
import { bytes } from '@expresslane/shared/base/units'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parsePreflight, preflightArgv } from './diagnosis.ts'
import {
  countersArgv,
  deviceArgv,
  echoArgv,
  forwardArgv,
  generateArgv,
  handshakeArgv,
  sinkArgv,
  type GenerateOptions,
} from '../../../src/tools/nodeport/argv.ts'
import {
  findHelperError,
  parseDevice,
  parseGeneratorLine,
  parseHandshake,
  parseSinkLine,
  type GeneratorLine,
} from '../../../src/tools/nodeport/lines.ts'
import {
  BACKEND_PORT,
  families,
  NODE_PORT,
  PATIENCE,
  readCounters,
  readDropped,
  services,
  startForwarder,
} from './forwarding.ts'
import { nodeAddresses, openPath, type Path, type Place, type Running } from './path.ts'

/** Resolves with the first progress that counts a packet: on a busy machine the sending thread begins after some without. */
async function untilSent(running: Running): Promise<void> {
  for (let n = 1; ; n += 1) {
    const line = parseGeneratorLine(await running.line(n))
    expect(line.type).toBe('progress')
    if ('sent' in line && line.sent > 0) return
  }
}

const isRoot = process.getuid?.() === 0
const users = isRoot ? (['root', 'user'] as const) : (['user'] as const)
/** The discard port, at the node: no forwarder is needed for these. */
const DISCARD = 9

type End = Extract<GeneratorLine, { type: 'end' }>
/** A device that sends, and where it is. */
type Sender = readonly [Place, string]

function options(method: GenerateOptions['method'], more: Partial<GenerateOptions>): GenerateOptions {
  const to = { device: 'c0', address: nodeAddresses.ipv4, port: DISCARD }
  return { method, ...to, load: { rate: 'max', flows: 1 }, frameBytes: bytes.parse(64), seconds: 0.2, ...more }
}

function endOf(lines: readonly string[]): End {
  const last = parseGeneratorLine(lines.at(-1) ?? '')
  if (last.type !== 'end') throw new Error(lines.join('\n'))
  return last
}

async function generate(path: Path, how: GenerateOptions): Promise<End> {
  const { stdout, stderr } = await path.run('client', generateArgv(how))
  expect(stderr).toEqual([])
  return endOf(stdout)
}

async function sunk(path: Path, place: Place): Promise<number> {
  const line = parseSinkLine((await path.run(place, countersArgv('sink'))).stdout[0] ?? '')
  return line.type === 'counters' ? line.packets : Number.NaN
}

/**
 * Waits until all packets are accounted for: counted by the sink, or dropped because the queue of the next veth device was
 * full. Such a queue has 256 places, and overflows when the CPU that empties it is not the sender's and is busy with
 * something else. The kernel counts that at the sending device, and nowhere else may a packet be lost. A packet of the
 * kernel's own (neighbours, multicast groups) can be among them, so the sum can exceed what was sent.
 *
 * @param queues the sending devices on the way
 * @returns how many the sink has counted
 */
async function accounted(path: Path, at: Place, packets: number, queues: readonly Sender[]): Promise<number> {
  let arrived = Number.NaN
  // The last packets are on their way when the generator ends.
  await expect
    .poll(async () => {
      arrived = await sunk(path, at)
      const dropped = await Promise.all(queues.map(([place, device]) => readDropped(path, place, device)))
      return arrived + dropped.reduce((sum, one) => sum + one, 0)
    }, PATIENCE)
    .toBeGreaterThanOrEqual(packets)
  expect(arrived).toBeLessThanOrEqual(packets)
  return arrived
}

interface Way {
  readonly user: 'root' | 'user'
  readonly method: GenerateOptions['method']
}
const asRoot: readonly Way[] = [
  { user: 'root', method: 'xdp' },
  { user: 'root', method: 'ring' },
]
const ways: readonly Way[] = [...(isRoot ? asRoot : []), { user: 'user', method: 'ring' }]

describe.each(ways)('as $user with $method', ({ user, method }) => {
  const sinkMethod = method === 'xdp' ? 'xdp' : 'socket'

  test.each(families)('every %s packet that is sent arrives', async (family) => {
    const path = await openPath(user, onTestFinished)
    const sink = path.start('node', sinkArgv({ method: sinkMethod, device: 'n0', port: DISCARD }))
    expect(parseSinkLine(await sink.line(0))).toMatchObject({ type: 'ready', method: sinkMethod })
    const address = nodeAddresses[family]
    const fast = await generate(path, options(method, { address }))
    expect(fast).toMatchObject({ ended: 'time', flows: 1, spinNs: 0, offered: fast.sent })
    expect(fast.sent).toBeGreaterThan(1000)
    let sent = fast.sent
    const arrive = async (): Promise<number> => accounted(path, 'node', sent, [['client', 'c0']])
    const fastArrived = await arrive()
    expect(fastArrived).toBeGreaterThan(1000)
    const paced = await generate(path, options(method, { address, load: { rate: 2000, flows: 7 } }))
    expect(paced.flows).toBe(7)
    expect(paced.sent).toBeLessThanOrEqual(paced.offered)
    sent += paced.sent
    const pacedArrived = await arrive()
    expect(pacedArrived).toBeGreaterThan(fastArrived)
    const large = await generate(path, options(method, { address, frameBytes: bytes.parse(1514) }))
    sent += large.sent
    const arrived = await arrive()
    expect(arrived).toBeGreaterThan(pacedArrived)
    const { stdout } = await sink.end()
    expect(parseSinkLine(stdout.at(-1) ?? '')).toMatchObject({ type: 'end', packets: arrived })
  })

  test('new flows end when there are no more ports', async () => {
    const path = await openPath(user, onTestFinished)
    const end = await generate(path, options(method, { load: { newFlows: 'max' }, seconds: 60 }))
    expect(end).toMatchObject({ ended: 'flows', flows: 64_512, sent: 64_512 })
  })

  test('the kernel takes its packets: checksums are right', async () => {
    const path = await openPath(user, onTestFinished)
    const echo = path.start('node', [...echoArgv(DISCARD), '--peers'])
    await echo.line(0)
    // At least three of each family: UDP drops wrong checksums silently. Sending goes on until they are there.
    for (const [family, peer] of [
      ['ipv4', '10.9.1.1'],
      ['ipv6', 'fd00:9:1::1'],
    ] as const) {
      const endless = { address: nodeAddresses[family], load: { rate: 100, flows: 3 }, seconds: 3600 }
      const running = path.start('client', generateArgv(options(method, endless)))
      await expect.poll(() => echo.stdout.filter((line) => line.includes(peer)).length, PATIENCE).toBeGreaterThan(2)
      expect(await running.end()).toMatchObject({ code: 0, stderr: [] })
    }
  })

  test.each([
    ['with one packet a second', { rate: 1, flows: 1 }],
    ['as fast as it can', { rate: 'max', flows: 1 }],
    ['with new flows', { newFlows: 10 }],
  ] as const)('it ends at a signal, with what it sent: %s', async (_how, load) => {
    const path = await openPath(user, onTestFinished)
    const running = path.start('client', generateArgv(options(method, { load, seconds: 3600 })))
    expect(parseGeneratorLine(await running.line(0))).toMatchObject({ type: 'ready', method, size: 64 })
    await untilSent(running)
    const ended = await running.end()
    expect(ended).toMatchObject({ code: 0, signal: null, stderr: [] })
    const end = endOf(ended.stdout)
    expect(end.ended).toBe('signal')
    expect(end.sent).toBeGreaterThan(0)
    expect(end.offered).toBeGreaterThanOrEqual(end.sent)
  })
})

test.runIf(isRoot).each(['xdp', 'tcx', 'tc'] as const)('%s forwards as much as is generated', async (hook) => {
  const path = await openPath('root', onTestFinished)
  await startForwarder(path, hook)
  const sink = path.start('backend', sinkArgv({ method: 'xdp', device: 'b0', port: BACKEND_PORT }))
  await sink.line(0)
  let total = 0
  for (const family of families) {
    const to = { address: nodeAddresses[family], port: NODE_PORT }
    total += (await generate(path, options('xdp', { ...to, load: { rate: 'max', flows: 100 } }))).sent
  }
  const arrived = await accounted(path, 'backend', total, [
    ['client', 'c0'],
    ['node', 'n1'],
  ])
  const { programs } = await readCounters(path)
  const { forwarded, newFlows, portsChanged } = programs[hook === 'xdp' ? 'xdp' : 'tc']
  // Between the two queues nothing is lost.
  expect(forwarded).toBeLessThanOrEqual(total)
  expect(forwarded).toBeGreaterThanOrEqual(total - (await readDropped(path, 'client', 'c0')))
  expect(arrived).toBeLessThanOrEqual(forwarded)
  expect(arrived).toBeGreaterThanOrEqual(forwarded - (await readDropped(path, 'node', 'n1')))
  expect(arrived).toBeGreaterThan(1000)
  expect([newFlows, portsChanged]).toEqual([200, 0])
})

describe.each(users)('as %s', (user) => {
  test('devices are set and read back', async () => {
    const path = await openPath(user, onTestFinished)
    const set = async (settings: Parameters<typeof deviceArgv>[1]): Promise<unknown> =>
      parseDevice((await path.run('node', deviceArgv('n0', settings))).stdout[0] ?? '')
    expect(await set({ threaded: true, gro: true, txChecksum: false })).toMatchObject({
      name: 'n0',
      kind: 'veth',
      mac: '02:00:00:00:01:02',
      mtu: 1500,
      gro: true,
      txChecksum: false,
      threaded: true,
      xdp: null,
      tc: [],
    })
    expect(await set({ threaded: false, txChecksum: true })).toMatchObject({
      gro: true,
      txChecksum: true,
      threaded: false,
    })
    expect(await set({ gro: false })).toMatchObject({ gro: false })
  })

  test('a handshake says which part failed', async () => {
    const path = await openPath(user, onTestFinished)
    const shake = handshakeArgv({ address: nodeAddresses.ipv6, port: 4711, timeoutMs: 20_000 })
    const { stdout, stderr, code } = await path.run('client', shake)
    expect(parseHandshake(stdout[0] ?? '')).toMatchObject({
      ok: false,
      tcp: { ok: false, code: 'refused', call: 'connect', errno: 'ECONNREFUSED' },
      udp: { ok: false, code: 'refused', call: 'recv' },
    })
    expect([code, stderr]).toEqual([1, []])
    const silent = handshakeArgv({ address: '10.9.1.77', port: 4711, timeoutMs: 1 })
    expect(parseHandshake((await path.run('client', silent)).stdout[0] ?? '')).toMatchObject({
      tcp: { ok: false, code: 'timeout' },
      udp: { ok: false, code: 'timeout' },
    })
  })

  test('a sink on the port of an echo server takes its packets, and gives them back', async () => {
    const path = await openPath(user, onTestFinished)
    await path.start('node', echoArgv(DISCARD)).line(0)
    const shake = async (): Promise<unknown> => {
      const argv = handshakeArgv({ address: nodeAddresses.ipv4, port: DISCARD, timeoutMs: 300 })
      return parseHandshake((await path.run('client', argv)).stdout[0] ?? '').udp
    }
    expect(await shake()).toMatchObject({ ok: true })
    const sink = path.start('node', sinkArgv({ method: 'socket', device: 'n0', port: DISCARD }))
    await sink.line(0)
    expect(await shake()).toMatchObject({ ok: false, code: 'timeout' })
    expect(parseSinkLine((await sink.end()).stdout.at(-1) ?? '')).toMatchObject({ type: 'end', packets: 1 })
    expect(await shake()).toMatchObject({ ok: true })
  })

  test('the preflight says what works', async () => {
    const path = await openPath(user, onTestFinished)
    const { checks } = parsePreflight((await path.run('node', preflightArgv())).stdout[0] ?? '')
    expect(checks).toMatchObject({ namespaces: { ok: true }, txRing: { ok: true }, sinkSocket: { ok: true } })
    expect(checks.bpf).toMatchObject(user === 'root' ? { ok: true } : { ok: false, code: 'denied', errno: 'EPERM' })
    expect(checks.xdp).toMatchObject(user === 'root' ? { ok: true } : { ok: false, code: 'skipped', needs: 'bpf' })
  })

  test('the helper refuses devices that are not of its own kind', async () => {
    const path = await openPath(user, onTestFinished)
    const error = async (device: string): Promise<unknown> =>
      findHelperError((await path.run('client', generateArgv(options('ring', { device })))).stderr)
    expect(await error('lo')).toMatchObject({ code: 'wrong_device', device: 'lo' })
    expect(await error('none')).toMatchObject({ code: 'no_device', device: 'none' })
    const away = generateArgv(options('ring', { address: '10.9.1.77' }))
    expect(findHelperError((await path.run('client', away)).stderr)).toMatchObject({ code: 'no_neighbour' })
  })

  test('a macvlan device keeps the checksum offload of its card, and takes no XDP', async () => {
    const path = await openPath(user, onTestFinished)
    await path.run('client', ['ip', 'link', 'add', 'link', 'c0', 'name', 'm0', 'type', 'macvlan'])
    const read = async (argv: readonly string[]) => parseDevice((await path.run('client', argv)).stdout[0] ?? '')
    const before = await read(deviceArgv('m0'))
    expect(before).toMatchObject({ kind: 'macvlan' })
    const set = deviceArgv('m0', { gro: true, txChecksum: !before.txChecksum })
    expect(await read(set)).toMatchObject({ gro: true, txChecksum: before.txChecksum })
    const refused = await path.run('client', sinkArgv({ method: 'xdp', device: 'm0', port: DISCARD }))
    expect(findHelperError(refused.stderr)).toMatchObject({ code: 'wrong_device', device: 'm0' })
  })
})

test('an ordinary user can’t load a forwarder, and the error names the call that failed', async () => {
  const path = await openPath('user', onTestFinished)
  const { code, stderr } = await path.run('node', forwardArgv({ hook: 'xdp', devices: ['n0'] }), services())
  expect(findHelperError(stderr)).toMatchObject({ code: 'denied', errno: 'EPERM', number: 1 })
  expect(code).toBe(1)
})

test('services that are not right are refused at the byte where they go wrong', async () => {
  const path = await openPath('user', onTestFinished)
  const right = services().trim()
  const read = async (text: string): Promise<unknown> => {
    const { stderr } = await path.run('node', forwardArgv({ hook: 'tc', devices: ['n0'] }), `${text}\n`)
    return findHelperError(stderr)
  }
  const cut = fc.nat({ max: right.length - 1 })
  const harmful = fc.constantFrom('"', '{', ']', '\\', '\u0001', 'x', '99999')
  await fc.assert(
    fc.asyncProperty(cut, harmful, async (at, text) => {
      expect(await read(right.slice(0, at))).toMatchObject({ code: 'bad_services' })
      // Changed, it can also be right by chance; it is read to its end, or refused where it is not.
      const changed = await read(`${right.slice(0, at)}${text}${right.slice(at)}`)
      expect(changed).toMatchObject({ code: expect.stringMatching(/^(bad_services|denied)$/) as unknown })
    }),
    { numRuns: 30 },
  )
})
