/** The parsers, on what the helper printed (record/nodeport.ts), and the argv that it was given. */
import { existsSync, readdirSync } from 'node:fs'
import { bytes } from '@expresslane/shared/base/units'
import { describe, expect, test } from 'vitest'
import { loadedArgv, parseForwardReady, parseLoaded, parsePreflight, preflightArgv } from './diagnosis.ts'
import {
  countersArgv,
  deviceArgv,
  echoArgv,
  forwardArgv,
  generateArgv,
  handshakeArgv,
  nodeportProgram,
  servicesInput,
  sinkArgv,
} from '../../../src/tools/nodeport/argv.ts'
import {
  findHelperError,
  parseDevice,
  parseEchoLine,
  parseForwardCounters,
  parseGeneratorLine,
  parseHandshake,
  parseSinkLine,
} from '../../../src/tools/nodeport/lines.ts'
import { readFixture } from '../fixture.ts'

const recorded = (name: string): readonly string[] => readFixture(`nodeport/${name}`).lines
const typed = (name: string): string => readFixture(`nodeport/${name}`).typed.replace('nodeport', nodeportProgram)

test('the programs of both architectures come with the checkout', () => {
  const folder = new URL('../../../native/bin/', import.meta.url)
  expect(readdirSync(folder).toSorted()).toEqual([
    'agent-arm64',
    'agent-x64',
    'agent-x86',
    'nodeport-arm64',
    'nodeport-x64',
    'profiler-x64.so',
  ])
  expect(existsSync(nodeportProgram)).toBe(true)
})

describe.each(['xdp', 'tcx', 'tc'] as const)('recorded with %s', (hook) => {
  const own = hook === 'xdp' ? 'xdp' : 'tc'

  test('the forwarder: how it began, and its counters until the end', () => {
    const lines = recorded(`forward-${hook}`)
    const ready = parseForwardReady(lines[0] ?? '')
    expect(ready).toMatchObject({ hook, services: 4, programs: { xdp: { attached: hook === 'xdp' } } })
    const end = parseForwardCounters(lines.at(-1) ?? '')
    expect(end).toMatchObject({ type: 'end', hook, services: 4 })
    const asked = parseForwardCounters(recorded(`counters-${hook}`)[0] ?? '')
    expect(asked).toMatchObject({ type: 'counters', hook, services: 4 })
    expect(asked.programs[own].forwarded).toBeGreaterThan(5000)
    expect(typed(`forward-${hook}`)).toBe(forwardArgv({ hook, devices: ['n0', 'n1'] }).join(' '))
    expect(typed(`counters-${hook}`)).toBe(countersArgv('forward').join(' '))
  })

  test('the generator and the sink agree', () => {
    const sent = recorded(`generate-${hook}`).map(parseGeneratorLine)
    expect(sent.map(({ type }) => type)).toEqual(['ready', 'progress', 'progress', 'end'])
    const end = parseSinkLine(recorded(`sink-${hook}`).at(-1) ?? '')
    expect(end).toMatchObject({ type: 'end', packets: sent.map((line) => ('sent' in line ? line.sent : 0)).at(-1) })
    expect(typed(`sink-${hook}`)).toBe(sinkArgv({ method: 'xdp', device: 'b0', port: 7 }).join(' '))
  })

  test('the handshake, and what the echo server saw', () => {
    expect(parseHandshake(recorded(`handshake-${hook}`)[0] ?? '')).toMatchObject({ ok: true, tcp: { ok: true } })
    const seen = recorded(`echo-${hook}`).map(parseEchoLine)
    expect(seen.map(({ type }) => type)).toEqual(['ready', 'peer', 'peer', 'end'])
    expect(typed(`echo-${hook}`)).toBe([...echoArgv(7), '--peers'].join(' '))
  })

  test('the device has the program that is loaded', () => {
    const { xdp, tcx, tc } = parseDevice(recorded(`device-${hook}`)[0] ?? '')
    const { programs, maps } = parseLoaded(recorded(`loaded-${hook}`)[0] ?? '')
    const attached = [xdp, ...(tcx ?? []), ...tc].flatMap((one) => (one === null ? [] : [one.programId]))
    expect(attached).toEqual(programs.filter(({ name }) => name === `np_${own}`).map(({ id }) => id))
    expect(maps.map(({ name }) => name)).toContain('np_flows')
    expect(typed(`loaded-${hook}`)).toBe(loadedArgv().join(' '))
  })
})

describe('recorded without a forwarder', () => {
  test('new flows until the ports are used up', () => {
    expect(recorded('new-flows').map(parseGeneratorLine).at(-1)).toMatchObject({ ended: 'flows', sent: 64_512 })
  })

  test('a handshake that is refused is a result', () => {
    const refused = { ok: false, code: 'refused', errno: 'ECONNREFUSED' }
    expect(parseHandshake(recorded('handshake-refused')[0] ?? '')).toMatchObject({
      ok: false,
      tcp: refused,
      udp: refused,
    })
    const argv = handshakeArgv({ address: '10.9.1.2', port: 30_080, timeoutMs: 2000 })
    expect(typed('handshake-refused')).toBe(argv.join(' '))
  })

  test('root can do everything, an ordinary user what needs no BPF', () => {
    const root = parsePreflight(recorded('preflight-root')[0] ?? '')
    expect(Object.values(root.checks).every(({ ok }) => ok)).toBe(true)
    const { checks } = parsePreflight(recorded('preflight-user')[0] ?? '')
    expect(checks.bpf).toMatchObject({ ok: false, code: 'denied', call: 'bpf(BPF_MAP_CREATE)', number: 1 })
    expect(checks.xdp).toEqual({ ok: false, code: 'skipped', needs: 'bpf' })
    expect(checks.txRing).toEqual({ ok: true })
    expect(typed('preflight-user')).toBe(preflightArgv().join(' '))
  })

  test('an ordinary user generates, counts and reads devices', () => {
    const end = parseGeneratorLine(recorded('generate-user').at(-1) ?? '')
    expect(parseSinkLine(recorded('sink-user').at(-1) ?? '')).toMatchObject({
      packets: 'sent' in end ? end.sent : null,
    })
    expect(parseDevice(recorded('device-user')[0] ?? '')).toMatchObject({ tcx: null, gro: true })
    expect(typed('device-user')).toBe(deviceArgv('n0').join(' '))
  })

  test('errors have a code, and the call that failed', () => {
    expect(findHelperError(recorded('forward-denied'))).toMatchObject({ code: 'denied', errno: 'EPERM' })
    expect(findHelperError(recorded('not-running'))).toMatchObject({ code: 'not_running' })
    expect(findHelperError(['a line of something else', '{}'])).toBe(null)
  })
})

test('another line is unreadable', () => {
  for (const line of ['', '{', '{}', 'null', recorded('handshake-xdp')[0] ?? '']) {
    expect(() => parseForwardCounters(line)).toThrow(
      expect.objectContaining({ code: 'tool_output_unreadable' }) as Error,
    )
  }
})

test('argv of settings and loads', () => {
  const base = {
    method: 'ring',
    device: 'c0',
    address: 'fd00::1',
    port: 30_080,
    frameBytes: bytes.parse(64),
    seconds: 2,
  } as const
  expect(
    generateArgv({ ...base, load: { rate: 'max', flows: 3 } })
      .slice(2)
      .join(' '),
  ).toBe('--method ring --device c0 --to fd00::1 --port 30080 --rate max --flows 3 --size 64 --seconds 2')
  expect(generateArgv({ ...base, load: { newFlows: 500 } })).toContain('--new-flows')
  expect(deviceArgv('n0', { gro: true, threaded: false }).slice(2)).toEqual([
    '--device',
    'n0',
    '--gro',
    'on',
    '--threaded',
    'off',
  ])
  expect(servicesInput({ node: ['10.9.1.2'], masquerade: ['10.9.2.2'], services: [] })).toBe(
    '{"node":["10.9.1.2"],"masquerade":["10.9.2.2"],"services":[]}\n',
  )
})
