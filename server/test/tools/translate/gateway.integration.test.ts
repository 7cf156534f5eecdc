/** The translator between two network namespaces, and tayga in its place: what people's programs see. */
import { spawnSync } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { countersArgv, handshakeArgv, nodeportProgram } from '../../../src/tools/nodeport/argv.ts'
import { parseHandshake } from '../../../src/tools/nodeport/lines.ts'
import { PATIENCE } from '../nodeport/forwarding.ts'
import { frame, type FrameOptions } from '../nodeport/frames.ts'
import { clientAddresses, nodeAddresses, type Path, type Place } from '../nodeport/path.ts'
import { BACKEND4, CLIENT6, openGateway } from './gateway.ts'

const PORT = 7
const isRoot = process.getuid?.() === 0
const hasTayga = spawnSync('tayga', ['--help']).error === undefined
const readCounters = z.object({ counts: z.record(z.string(), z.number()) })

async function shake(path: Path, place: Place, address: string, port = PORT) {
  const { stdout } = await path.run(place, handshakeArgv({ address, port, timeoutMs: 20_000 }))
  return parseHandshake(stdout[0] ?? '')
}

async function counts(path: Path): Promise<Record<string, number>> {
  const { stdout } = await path.run('node', countersArgv('translate'))
  return readCounters.parse(JSON.parse(stdout[0] ?? '')).counts
}

/** What tcpdump says of the first ICMP packet that comes back to the client for this one. */
async function answer(path: Path, options: Partial<FrameOptions>): Promise<string> {
  const dump = 'exec tcpdump -i c0 -c 1 -v -n -l --immediate-mode -Q in icmp 2>&1'
  const capture = path.start('client', ['sh', '-c', dump])
  await capture.line(0)
  const ends = { from: clientAddresses.ipv4, to: BACKEND4, fromPort: 4000, toPort: 99 }
  await path.run('client', [nodeportProgram, 'send', '--device', 'c0'], `${frame({ ...ends, ...options })}\n`)
  const { stdout } = await capture.ended
  return stdout.find((line) => line.includes(': ICMP ')) ?? ''
}

describe.skipIf(!isRoot).each([
  { translator: 'bpf' as const, missing: false, name: 'bpf' },
  { translator: 'tayga' as const, missing: !hasTayga, name: hasTayga ? 'tayga' : 'tayga, which is not installed' },
])('$name', ({ translator, missing }) => {
  test.skipIf(missing)('TCP and UDP go both ways', async () => {
    const path = await openGateway(translator, onTestFinished)
    for (const place of ['client', 'backend'] as const) {
      await path.start(place, [nodeportProgram, 'echo', '--port', String(PORT)]).line(0)
    }
    expect(await shake(path, 'client', BACKEND4)).toMatchObject({ tcp: { ok: true }, udp: { ok: true } })
    expect(await shake(path, 'backend', CLIENT6)).toMatchObject({ tcp: { ok: true }, udp: { ok: true } })
  })

  test.skipIf(missing)('a closed port says so both ways', async () => {
    const path = await openGateway(translator, onTestFinished)
    const refused = { tcp: { code: 'refused' }, udp: { code: 'refused' } }
    expect(await shake(path, 'client', BACKEND4)).toMatchObject(refused)
    expect(await shake(path, 'backend', CLIENT6)).toMatchObject(refused)
  })

  test.skipIf(missing)('the kernel says which packet is too big, and whose time is up', async () => {
    const path = await openGateway(translator, onTestFinished)
    const big = await answer(path, { fragment: 0x4000, payload: Buffer.alloc(1472) })
    expect(big).toContain(`${nodeAddresses.ipv4} > ${clientAddresses.ipv4}`)
    expect(big).toContain(`${BACKEND4} unreachable - need to frag (mtu 1480)`)
    expect(await answer(path, { ttl: 1 })).toContain(
      `${nodeAddresses.ipv4} > ${clientAddresses.ipv4}: ICMP time exceeded`,
    )
    expect(await answer(path, { fragment: 0x4000, payload: Buffer.alloc(1452) })).toContain('udp port 99 unreachable')
  })
})

describe.skipIf(!isRoot)('bpf alone', () => {
  test('is one hop', async () => {
    const path = await openGateway('bpf', onTestFinished)
    expect(await answer(path, { ttl: 2 })).toContain(
      `${BACKEND4} > ${clientAddresses.ipv4}: ICMP ${BACKEND4} udp port 99`,
    )
  })

  test('ends a packet that goes round in a circle', async () => {
    const path = await openGateway('bpf', onTestFinished)
    // Without a pair it becomes an address of the prefix, which comes to the translator again.
    await path.run('client', handshakeArgv({ address: '10.99.0.7', port: PORT, timeoutMs: 100 }))
    // Its last packet can still be on its way. What is no packet of it are the kernel's own to groups.
    const perLoop = async (): Promise<number> => {
      const { droppedLoop = 0, droppedOther = 0, runs = 0 } = await counts(path)
      return (runs - droppedOther) / droppedLoop
    }
    await expect.poll(perLoop, PATIENCE).toBe(3)
  })

  test.each([
    { place: 'client', at: 'backend', address: BACKEND4 },
    { place: 'backend', at: 'client', address: CLIENT6 },
  ] as const)('big packets of TCP pass whole from the $place', async ({ place, at, address }) => {
    const path = await openGateway('bpf', onTestFinished)
    const bytes = 64 * 1024 * 1024
    const server = path.start(at, ['iperf3', '-s', '-1', '--forceflush'])
    await server.line(1)
    const { code, stdout } = await path.run(place, ['iperf3', '-c', address, '-n', String(bytes)])
    expect(stdout.join('\n')).toContain('receiver')
    expect(code).toBe(0)
    const { runs = 0, toIpv4 = 0, toIpv6 = 0, droppedKernel } = await counts(path)
    expect(droppedKernel).toBe(0)
    expect(place === 'client' ? toIpv6 : toIpv4).toBeLessThan(bytes / 1440 / 4)
    expect(runs).toBeGreaterThan(0)
  })
})
