/** The forwarders on this machine's kernel: XDP, tcx and clsact, as root. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadedArgv, parseLoaded } from './diagnosis.ts'
import { countersArgv, handshakeArgv, nodeportProgram } from '../../../src/tools/nodeport/argv.ts'
import {
  findHelperError,
  parseEchoLine,
  parseForwardCounters,
  parseHandshake,
  type ForwarderCounts,
} from '../../../src/tools/nodeport/lines.ts'
import {
  BACKEND_PORT,
  families,
  hooks,
  NODE_PORT,
  PATIENCE,
  readCounters,
  readDevice,
  startForwarder,
} from './forwarding.ts'
import { addressBytes, frame, readFrame, type FrameOptions, type SeenFrame } from './frames.ts'
import {
  backendAddresses,
  clientAddresses,
  macs,
  masquerade,
  nodeAddresses,
  openPath,
  otherClient,
  type Path,
} from './path.ts'

const plain = (mac: string): string => mac.replaceAll(':', '')
const zero = (counts: ForwarderCounts): boolean => Object.values(counts).every((value) => value === 0)

/** The frames at the backend when the client sends `frames`, of which `count` get there. */
async function passed(path: Path, frames: readonly string[], count = frames.length): Promise<SeenFrame[]> {
  const filter = `src host ${masquerade.ipv4} or src host ${masquerade.ipv6}`
  const dump = `exec tcpdump -i b0 -c ${count} -v -n -xx -l --immediate-mode "(${filter}) and (tcp or udp)" 2>&1`
  const capture = path.start('backend', ['sh', '-c', dump])
  await capture.line(0)
  await path.run('client', [nodeportProgram, 'send', '--device', 'c0'], `${frames.join('\n')}\n`)
  const { stdout } = await capture.ended
  const seen: string[] = []
  for (const line of stdout) {
    const found = /^\s+0x([0-9a-f]+):\s+([0-9a-f ]+)$/.exec(line)
    if (found === null) continue
    if (found[1] === '0000') seen.push('')
    seen.push(`${seen.pop() ?? ''}${found[2]?.replaceAll(' ', '') ?? ''}`)
  }
  return seen.map(readFrame)
}

describe.skipIf(process.getuid?.() !== 0).each(hooks)('%s', (hook) => {
  const own = hook === 'xdp' ? 'xdp' : 'tc'
  const other = hook === 'xdp' ? 'tc' : 'xdp'

  test('answers over both protocols and families, and says so', async () => {
    const path = await openPath('root', onTestFinished)
    const echo = path.start('backend', [nodeportProgram, 'echo', '--port', String(BACKEND_PORT), '--peers'])
    await echo.line(0)
    const { ready, running } = await startForwarder(path, hook)
    expect(ready).toMatchObject({
      hook,
      services: 4,
      programs: { [own]: { attached: true }, [other]: { attached: false } },
    })
    for (const device of ['n0', 'n1']) {
      const { xdp, tcx, tc } = await readDevice(path, device)
      const programId = ready.programs[own].id
      expect(xdp).toEqual(hook === 'xdp' ? { mode: 'native', programId } : null)
      expect(tcx).toEqual(hook === 'tcx' ? [expect.objectContaining({ programId })] : [])
      expect(tc).toEqual(hook === 'tc' ? [{ programId, name: 'nodeport' }] : [])
    }
    for (const family of families) {
      const argv = handshakeArgv({ address: nodeAddresses[family], port: NODE_PORT, timeoutMs: 20_000 })
      const { stdout, code } = await path.run('client', argv)
      expect(parseHandshake(stdout[0] ?? '')).toMatchObject({ ok: true, tcp: { ok: true }, udp: { ok: true } })
      expect(code).toBe(0)
    }
    const { services, programs } = await readCounters(path)
    expect(services).toBe(4)
    expect(programs[own]).toMatchObject({ newFlows: 4, portsChanged: 0, passedOther: 0, passedUnroutable: 0 })
    expect(programs[own].forwarded).toBeGreaterThan(8)
    expect(programs[own].replies).toBeGreaterThan(6)
    expect(zero(programs[other])).toBe(true)
    const { newFlows, portsChanged, runs, ...outcomes } = programs[own]
    expect([newFlows, portsChanged]).toEqual([4, 0])
    expect(runs).toBe(Object.values(outcomes).reduce((sum, value) => sum + value, 0))

    const { stdout } = await echo.end()
    const peers = stdout.map(parseEchoLine).filter((line) => line.type === 'peer')
    expect(peers.map(({ protocol, address }) => `${protocol} ${address}`)).toEqual(
      families.flatMap((family) => [`tcp ${masquerade[family]}`, `udp ${masquerade[family]}`]),
    )
    const ended = await running.end()
    expect(ended).toMatchObject({ code: 0, stderr: [] })
    expect(parseForwardCounters(ended.stdout.at(-1) ?? '')).toMatchObject({ type: 'end', hook, services: 4 })
    expect(await readDevice(path, 'n0')).toMatchObject({ xdp: null, tcx: [], tc: [] })
  })

  test.each(families)('changes %s packets in the right places, checksums too', async (family) => {
    const path = await openPath('root', onTestFinished)
    await startForwarder(path, hook)
    const base: FrameOptions = {
      from: clientAddresses[family],
      to: nodeAddresses[family],
      fromPort: 40_000,
      toPort: NODE_PORT,
    }
    // With this payload the new checksum comes to 0, which is written as all ones: 0 means that there is none.
    const changed = { from: masquerade[family], to: backendAddresses[family], fromPort: 40_002, toPort: BACKEND_PORT }
    const payload = Buffer.alloc(2)
    payload.writeUInt16BE(readFrame(frame({ ...changed, payload })).written)
    const frames = [
      frame({ ...base, payload: Buffer.from('odd') }),
      frame({ ...base, fromPort: 40_001, protocol: 'tcp' }),
      frame({ ...base, fromPort: 40_002, payload }),
      ...(family === 'ipv4' ? [frame({ ...base, fromPort: 40_003, unchecked: true })] : []),
    ]
    const seen = await passed(path, frames)
    expect(seen).toHaveLength(frames.length)
    for (const [index, one] of seen.entries()) {
      expect(one).toMatchObject({
        toMac: plain(macs.backend),
        fromMac: plain(macs.out),
        ttl: 63,
        fromPort: 40_000 + index,
        toPort: BACKEND_PORT,
        right: true,
      })
      expect(one.from).toEqual(addressBytes(masquerade[family]))
      expect(one.to).toEqual(addressBytes(backendAddresses[family]))
    }
    expect(seen[2]?.written).toBe(0xffff)
    expect(seen.map(({ written }) => written === 0)).toEqual(frames.map((_, index) => index === 3))
  })

  test('gives another port to the second of two clients with the same one, and finds both again', async () => {
    const path = await openPath('root', onTestFinished)
    const echo = path.start('backend', [nodeportProgram, 'echo', '--port', String(BACKEND_PORT), '--peers'])
    await echo.line(0)
    await startForwarder(path, hook)
    const sent = families.flatMap((family) =>
      [clientAddresses[family], otherClient[family]].map((from) =>
        frame({ from, to: nodeAddresses[family], fromPort: 40_000, toPort: NODE_PORT }),
      ),
    )
    await path.run('client', [nodeportProgram, 'send', '--device', 'c0'], `${sent.join('\n')}\n`)
    const lines = [await echo.line(1), await echo.line(2), await echo.line(3), await echo.line(4)].map(parseEchoLine)
    const ports = lines.map((line) => (line.type === 'peer' ? line.port : 0))
    expect(ports.map((port) => port === 40_000)).toEqual([true, false, true, false])
    await expect
      .poll(async () => (await readCounters(path)).programs[own], PATIENCE)
      .toMatchObject({
        forwarded: 4,
        newFlows: 4,
        portsChanged: 2,
        replies: 4,
      })
    // The same flows again: nothing is new.
    await path.run('client', [nodeportProgram, 'send', '--device', 'c0'], `${sent.join('\n')}\n`)
    await expect
      .poll(async () => (await readCounters(path)).programs[own], PATIENCE)
      .toMatchObject({
        forwarded: 8,
        newFlows: 4,
        replies: 8,
      })
  })

  test('passes on to the stack what is not its own', async () => {
    const path = await openPath('root', onTestFinished)
    await startForwarder(path, hook)
    const of = (family: 'ipv4' | 'ipv6', more: Partial<FrameOptions>): string =>
      frame({ from: clientAddresses[family], to: nodeAddresses[family], fromPort: 40_000, toPort: NODE_PORT, ...more })
    const frames = [
      // A first and a later fragment.
      of('ipv4', { fragment: 0x2000 }),
      of('ipv4', { fragment: 0x0002 }),
      of('ipv4', { options: true }),
      of('ipv6', { options: true }),
      ...families.flatMap((family) => [
        of(family, { ttl: 1 }),
        of(family, { length: 1400 }),
        of(family, { length: family === 'ipv4' ? 24 : 4 }),
        of(family, { toPort: NODE_PORT + 1 }),
        of(family, { to: family === 'ipv4' ? '10.9.1.77' : 'fd00:9:1::77' }),
      ]),
      of('ipv6', { unchecked: true }),
      of('ipv4', { protocol: 'icmp' }),
      // A frame to a group, a VLAN tag, and a frame with nothing but its type.
      of('ipv4', {}).replace(/^.{12}/, 'ffffffffffff'),
      of('ipv4', {}).replace(/^(.{24})/, '$181000001'),
      of('ipv4', {}).slice(0, 28),
    ]
    await path.run('client', [nodeportProgram, 'send', '--device', 'c0'], `${frames.join('\n')}\n`)
    await expect
      .poll(async () => (await readCounters(path)).programs[own], PATIENCE)
      .toMatchObject({
        forwarded: 0,
        newFlows: 0,
        passedFragment: 2,
        passedExpired: 2,
        passedMalformed: 6,
        passedOther: 4,
      })
    const { passedOptions, passedProtocol } = (await readCounters(path)).programs[own]
    // The kernel's own packets (neighbours, multicast groups) are counted here, too.
    expect(passedOptions).toBeGreaterThanOrEqual(2)
    expect(passedProtocol).toBeGreaterThanOrEqual(3)
  })

  test('counts what it knows no way for', async () => {
    const path = await openPath('root', onTestFinished)
    await startForwarder(path, hook)
    await path.run('node', ['ip', 'link', 'set', 'n1', 'down'])
    const sent = frame({ from: clientAddresses.ipv4, to: nodeAddresses.ipv4, fromPort: 40_000, toPort: NODE_PORT })
    await path.run('client', [nodeportProgram, 'send', '--device', 'c0'], `${sent}\n`)
    await expect
      .poll(async () => (await readCounters(path)).programs[own], PATIENCE)
      .toMatchObject({
        forwarded: 0,
        passedUnroutable: 1,
      })
  })

  test('leaves no program and no map when it is killed', async () => {
    const path = await openPath('root', onTestFinished)
    const { ready, running } = await startForwarder(path, hook)
    const loaded = async (): Promise<readonly number[]> =>
      parseLoaded((await path.run('node', loadedArgv())).stdout[0] ?? '').programs.map(({ id }) => id)
    expect(await loaded()).toContain(ready.programs[own].id)
    expect(await running.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
    const { stderr, code } = await path.run('node', countersArgv('forward'))
    expect(findHelperError(stderr)).toMatchObject({ code: 'not_running' })
    expect(code).toBe(1)
    // A clsact filter is its device's: it goes with the namespace.
    if (hook === 'tc') await path.run('node', ['ip', 'link', 'del', 'n0'])
    if (hook === 'tc') await path.run('node', ['ip', 'link', 'del', 'n1'])
    if (hook !== 'tc') expect(await readDevice(path, 'n0')).toMatchObject({ xdp: null, tcx: [], tc: [] })
    const ids: readonly number[] = [ready.programs.xdp.id, ready.programs.tc.id]
    await expect.poll(async () => (await loaded()).filter((id) => ids.includes(id)), PATIENCE).toEqual([])
  })

  test('refuses a place where another one is attached', async () => {
    const path = await openPath('root', onTestFinished)
    await startForwarder(path, hook)
    const again = path.start('node', [
      nodeportProgram,
      'forward',
      '--hook',
      hook,
      '--device',
      'n0',
      '--services',
      '/dev/null',
    ])
    expect(findHelperError((await again.ended).stderr)).toMatchObject({ code: 'bad_services' })
    const second = await startForwarder(path, hook).catch((error: unknown) => String(error))
    expect(second).toContain('"code":"busy"')
  })
})
