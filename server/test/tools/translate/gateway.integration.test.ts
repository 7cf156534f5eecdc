/** The translator between two network namespaces, and tayga in its place: what people's programs see. */
import { spawnSync } from 'node:child_process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { countersArgv, handshakeArgv, nodeportProgram } from '../../../src/tools/nodeport/argv.ts'
import { parseEchoLine, parseHandshake } from '../../../src/tools/nodeport/lines.ts'
import { parseSessions, sessionsArgv } from '../../../src/tools/nodeport/sessions.ts'
import { PATIENCE } from '../nodeport/forwarding.ts'
import { frame, type FrameOptions } from '../nodeport/frames.ts'
import { backendAddresses, clientAddresses, nodeAddresses, type Path, type Place } from '../nodeport/path.ts'
import { BACKEND4, CLIENT6, openGateway } from './gateway.ts'

const PORT = 7
/** As the kernel writes it. */
const CLIENT6_TEXT = 'fd64:ff9b::a09:101'
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

/** tcpdump's text of the first ICMP packet that the client gets for this packet. */
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
    // The call's last packet can still be on its way. The kernel's own packets to groups count as dropped for another reason.
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

  test('UDP of any size without a checksum gets one', async () => {
    const path = await openGateway('bpf', onTestFinished)
    const widen = (place: Place, script: string) => path.run(place, ['sh', '-ec', script])
    await widen('client', 'ip link set c0 mtu 65535')
    await widen('backend', 'ip link set b0 mtu 65535')
    const routes = `ip route change 10.99.0.0/24 dev nat64 mtu lock 65515`
    const { code, stderr } = await widen('node', `ip link set n0 mtu 65535; ip link set n1 mtu 65535; ${routes}`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: [] })
    const echo = path.start('backend', [nodeportProgram, 'echo', '--port', String(PORT), '--peers'])
    await echo.line(0)
    // Around the blocks of 4,096 bytes in which the program sums, of which 8 are UDP's header.
    const sizes = [1, 4087, 4088, 4089, 10_233, 12_280, 40_001, 61_432, 65_480]
    for (const [index, size] of sizes.entries()) {
      const payload = Buffer.from(Uint8Array.from({ length: size }, (_, at) => at * 7 + size))
      const ends = { from: clientAddresses.ipv4, to: BACKEND4, fromPort: 4000 + index, toPort: PORT }
      const text = `${frame({ ...ends, payload, unchecked: true })}\n`
      const sent = await path.run('client', [nodeportProgram, 'send', '--device', 'c0'], text)
      expect(sent.stderr).toEqual([])
      // The kernel gives the server no datagram with a wrong checksum, and none without one.
      const from = { address: CLIENT6_TEXT, port: 4000 + index }
      expect(parseEchoLine(await echo.line(1 + index))).toEqual({ type: 'peer', protocol: 'udp', ...from })
    }
  })

  test('the translator’s sessions can be listed while it runs', async () => {
    const MASQUERADE = '10.99.0.1'
    const path = await openGateway('bpf', onTestFinished, { pairs: [], masquerade: MASQUERADE })
    await path.start('client', [nodeportProgram, 'echo', '--port', String(PORT)]).line(0)
    expect(await shake(path, 'backend', CLIENT6)).toMatchObject({ tcp: { ok: true }, udp: { ok: true } })
    const { sessions, live } = parseSessions((await path.run('node', sessionsArgv(10))).stdout)
    expect(live).toBe(2)
    expect(sessions.map(({ protocol }) => protocol).toSorted()).toEqual(['tcp', 'udp'])
    const client = { source: clientAddresses.ipv4, sourcePort: PORT }
    for (const { from, ipv6, ipv4, idleNs, timeoutSeconds } of sessions) {
      expect({ from, source: ipv6.source }).toEqual({ from: 'ipv6', source: backendAddresses.ipv6 })
      expect(ipv4).toMatchObject({ source: MASQUERADE, destination: client.source, destinationPort: client.sourcePort })
      expect(idleNs).toBeLessThan(timeoutSeconds * 1e9)
    }
    expect(parseSessions((await path.run('node', sessionsArgv(1))).stdout)).toMatchObject({
      live,
      sessions: { length: 1 },
    })
    const nobody = await path.run('client', sessionsArgv(1))
    expect(nobody.code).toBe(1)
    expect(nobody.stderr.join('\n')).toContain('"code":"not_running"')
  })
})
