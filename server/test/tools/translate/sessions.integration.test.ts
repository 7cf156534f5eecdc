/** The stateful kinds: many IPv6 clients behind one IPv4 address, and services. Time goes by as the test says. */
import { describe, expect, test } from 'vitest'
import { addressBytes, frame, readFrame, type FrameOptions, type SeenFrame } from '../nodeport/frames.ts'
import { comparable, readCases, translate, type Result } from './cases.ts'

const MASQUERADE = '10.99.0.1'
const SERVER = '10.4.0.2'
const inPrefix = (ipv4: string): string =>
  `fd64:ff9b::${addressBytes(ipv4).toString('hex', 0, 2)}:${addressBytes(ipv4).toString('hex', 2)}`
const rules = {
  prefix: 'fd64:ff9b::/96',
  masquerade: MASQUERADE,
  services: [
    { protocol: 'tcp', address: '10.99.0.80', port: 80, backend: 'fd46::2', backendPort: 8080 },
    { protocol: 'udp', address: '10.99.0.81', port: 53, backend: 'fd46::2', backendPort: 5353, client: 'fd46:64::9' },
  ],
}

const TCP_FLAGS = { syn: 0x02, synAck: 0x12, ack: 0x10, fin: 0x11, rst: 0x04 } as const

/** A TCP frame with other flags; its checksum is wrong then, which no translator mends. */
function tcp(flags: keyof typeof TCP_FLAGS, ends: FrameOptions): string {
  const hex = frame({ ...ends, protocol: 'tcp' })
  const at = 2 * (14 + (ends.from.includes(':') ? 40 : 20) + 13)
  return `${hex.slice(0, at)}${TCP_FLAGS[flags].toString(16).padStart(2, '0')}${hex.slice(at + 2)}`
}

const out = (client: string, fromPort = 4000): FrameOptions => ({
  from: client,
  to: inPrefix(SERVER),
  fromPort,
  toPort: 53,
})
const back = (toPort = 4000): FrameOptions => ({ from: SERVER, to: MASQUERADE, fromPort: 53, toPort })

const seen = (result: Result | undefined): SeenFrame => readFrame(result?.frame ?? '')
const outcomes = async (lines: readonly string[]): Promise<string[]> =>
  (await translate(rules, lines)).frames.map(({ outcome }) => outcome)

describe.skipIf(process.getuid?.() !== 0)('behind one address', () => {
  test('a client keeps its port, a second one with the same port gets another', async () => {
    const { frames, counts } = await translate(rules, [
      frame(out('fd46::2')),
      frame(out('fd46::3')),
      frame(back()),
      frame(out('fd46::2')),
    ])
    expect(seen(frames[0])).toMatchObject({ from: addressBytes(MASQUERADE), to: addressBytes(SERVER), right: true })
    expect(seen(frames[0])).toMatchObject({ fromPort: 4000, toPort: 53, ttl: 65 })
    expect(seen(frames[1])).toMatchObject({ from: addressBytes(MASQUERADE), toPort: 53, right: true })
    expect(seen(frames[1]).fromPort).not.toBe(4000)
    expect(seen(frames[2])).toMatchObject({
      from: addressBytes(inPrefix(SERVER)),
      to: addressBytes('fd46::2'),
      toPort: 4000,
      right: true,
    })
    expect(counts).toMatchObject({ runs: 4, toIpv4: 3, toIpv6: 1, newSessions: 2, portsChanged: 1 })
  })

  test('nothing comes in that was not asked for', async () => {
    const other = frame({ ...back(), from: '10.4.0.9' })
    expect(await outcomes([frame(back()), frame(out('fd46::2')), frame(back(4001)), other, frame(back())])).toEqual([
      'droppedSession',
      'toIpv4',
      'droppedSession',
      'droppedSession',
      'toIpv6',
    ])
  })

  test('a UDP session ends after 300 s without a packet of either side', async () => {
    const lines = [
      frame(out('fd46::2')),
      'later 299',
      frame(back()),
      'later 299',
      frame(back()),
      'later 301',
      frame(back()),
    ]
    expect(await outcomes(lines)).toEqual(['toIpv4', 'toIpv6', 'toIpv6', 'droppedSession'])
  })

  test('the port of a session that ended is free', async () => {
    const lines = [frame(out('fd46::2')), 'later 301', frame(out('fd46::3')), frame(back())]
    const { frames, counts } = await translate(rules, lines)
    expect(seen(frames[1]).fromPort).toBe(4000)
    expect(seen(frames[2]).to).toEqual(addressBytes('fd46::3'))
    expect(counts).toMatchObject({ newSessions: 2, portsChanged: 0 })
  })

  const begun = [tcp('syn', out('fd46::2')), tcp('synAck', back()), tcp('ack', out('fd46::2'))]
  test.each([
    { name: 'without an answer', lines: [tcp('syn', out('fd46::2'))], lives: 239, ends: 241 },
    { name: 'that is established', lines: begun, lives: 7439, ends: 7441 },
    { name: 'with one FIN', lines: [...begun, tcp('fin', back())], lives: 7439, ends: 7441 },
    {
      name: 'with both FINs',
      lines: [...begun, tcp('fin', back()), tcp('fin', out('fd46::2'))],
      lives: 239,
      ends: 241,
    },
    { name: 'after a reset', lines: [...begun, tcp('rst', back())], lives: 239, ends: 241 },
  ])('a TCP session $name lives $lives s', async ({ lines, lives, ends }) => {
    const last = async (seconds: number) => (await outcomes([...lines, `later ${seconds}`, tcp('ack', back())])).at(-1)
    expect(await last(lives)).toBe('toIpv6')
    expect(await last(ends)).toBe('droppedSession')
  })

  test('a TCP session begins with SYN', async () => {
    expect(await outcomes([tcp('ack', out('fd46::2')), tcp('synAck', out('fd46::2'))])).toEqual([
      'droppedSession',
      'droppedSession',
    ])
  })

  test('pings, errors and fragments find their session', async () => {
    const cases = new Map(readCases().map(({ name, step }) => [name, step]))
    const step = (name: string) => cases.get(name) ?? { in: '', out: '', outcome: '' }
    // The cases of the stateless kind, with the same address for all clients; other sessions begin with these frames.
    const asked = frame({ from: 'fd46::2', to: inPrefix(SERVER), fromPort: 53, toPort: 40_000 })
    const names = ['ping to IPv4', "ping's answer to IPv6", 'an IPv4 error about a ping', 'unreachable 1 to IPv6']
    const fragments = ['first fragment to IPv4', 'last fragment to IPv4', 'middle fragment to IPv4']
    const lines = [
      step("ping's answer to IPv6").in,
      step('unreachable 1 to IPv6').in,
      step('last fragment to IPv4').in,
      asked,
      ...[...names, ...fragments].map((name) => step(name).in),
    ]
    const { frames } = await translate({ prefix: rules.prefix, masquerade: '10.99.0.2' }, lines)
    expect(frames.slice(0, 4).map(({ outcome }) => outcome)).toEqual([
      'droppedSession',
      'droppedSession',
      'droppedFragment',
      'toIpv4',
    ])
    expect(frames.slice(4).map((result) => comparable(result.frame))).toEqual(
      [...names, ...fragments].map((name) => comparable(step(name).out ?? null)),
    )
  })
})

describe.skipIf(process.getuid?.() !== 0)('a service', () => {
  test('keeps the client inside the prefix, and has no sessions', async () => {
    const asks = frame({ from: SERVER, to: '10.99.0.80', fromPort: 4000, toPort: 80, protocol: 'tcp' })
    const answers = tcp('synAck', { from: 'fd46::2', to: inPrefix(SERVER), fromPort: 8080, toPort: 4000 })
    const { frames, counts } = await translate(rules, [asks, answers])
    expect(seen(frames[0])).toMatchObject({ from: addressBytes(inPrefix(SERVER)), to: addressBytes('fd46::2') })
    expect(seen(frames[0])).toMatchObject({ fromPort: 4000, toPort: 8080, right: true })
    expect(seen(frames[1])).toMatchObject({ from: addressBytes('10.99.0.80'), to: addressBytes(SERVER), fromPort: 80 })
    expect(counts).toMatchObject({ newSessions: 0 })
  })

  test('hides its clients behind one address', async () => {
    const asks = (from: string) => frame({ from, to: '10.99.0.81', fromPort: 4000, toPort: 53 })
    const answers = frame({ from: 'fd46::2', to: 'fd46:64::9', fromPort: 5353, toPort: 4000 })
    const { frames, counts } = await translate(rules, [asks(SERVER), asks('10.4.0.3'), answers, 'later 301', answers])
    expect(seen(frames[0])).toMatchObject({ from: addressBytes('fd46:64::9'), to: addressBytes('fd46::2') })
    expect(seen(frames[0])).toMatchObject({ fromPort: 4000, toPort: 5353, right: true })
    expect(seen(frames[1]).fromPort).not.toBe(4000)
    expect(seen(frames[2])).toMatchObject({ from: addressBytes('10.99.0.81'), to: addressBytes(SERVER), right: true })
    expect(seen(frames[2])).toMatchObject({ fromPort: 53, toPort: 4000 })
    expect(frames[3]?.outcome).toBe('droppedAddress')
    expect(counts).toMatchObject({ newSessions: 2, portsChanged: 1 })
  })

  test('has no other ports', async () => {
    const asks = frame({ from: SERVER, to: '10.99.0.80', fromPort: 4000, toPort: 81, protocol: 'tcp' })
    expect(await outcomes([asks])).toEqual(['droppedAddress'])
  })
})

describe.skipIf(process.getuid?.() !== 0)('rules', () => {
  test.each([
    { name: 'no prefix', wrong: { masquerade: MASQUERADE } },
    { name: 'another length', wrong: { prefix: 'fd64::/95' } },
    { name: 'bits behind the prefix', wrong: { prefix: 'fd64:ff9b:1::/32' } },
    { name: 'bits 64 to 71', wrong: { prefix: 'fd64:ff9b:0:0:100::/96' } },
    { name: 'the wrong family', wrong: { prefix: 'fd64::/96', gateway: 'fd46::1' } },
    { name: 'an unknown field', wrong: { prefix: 'fd64::/96', colour: 'blue' } },
    {
      name: 'an address twice',
      wrong: {
        prefix: 'fd64::/96',
        pairs: ['fd46::2', 'fd46::3'].map((ipv6) => ({ ipv4: '10.99.0.2', ipv6 })),
      },
    },
  ])('$name is refused', async ({ wrong }) => {
    await expect(translate(wrong, [])).rejects.toThrow('"code":"bad_rules"')
  })
})

describe.skipIf(process.getuid?.() !== 0)('the list of sessions', () => {
  const begins = [tcp('syn', out('fd46::2')), tcp('synAck', back()), tcp('ack', out('fd46::2'))]

  test('has both families, and how long a session was idle', async () => {
    const { listed } = await translate(rules, [frame(out('fd46::2')), 'later 100', 'sessions'])
    const ends = { sourcePort: 4000, destinationPort: 53 }
    expect(listed).toMatchObject({
      live: 1,
      sessions: [
        {
          protocol: 'udp',
          from: 'ipv6',
          ipv6: { source: 'fd46::2', destination: 'fd64:ff9b::a04:2', ...ends },
          ipv4: { source: MASQUERADE, destination: SERVER, ...ends },
          state: null,
          timeoutSeconds: 300,
        },
      ],
    })
    expect(Math.floor((listed.sessions[0]?.idleNs ?? 0) / 1e9)).toBeGreaterThanOrEqual(100)
  })

  test.each([
    { name: 'opening', lines: begins.slice(0, 1), seconds: 240 },
    { name: 'established', lines: begins, seconds: 7440 },
    { name: 'closing', lines: [...begins, tcp('fin', back())], seconds: 7440 },
    { name: 'closed', lines: [...begins, tcp('fin', back()), tcp('fin', out('fd46::2'))], seconds: 240 },
    { name: 'reset', lines: [...begins, tcp('rst', back())], seconds: 240 },
  ])('says that a TCP session is $name', async ({ name, lines, seconds }) => {
    const { listed } = await translate(rules, [...lines, 'sessions'])
    expect(listed.sessions).toMatchObject([{ protocol: 'tcp', state: name, timeoutSeconds: seconds }])
  })

  test('has a service that began on the side of IPv4', async () => {
    const asks = frame({ from: SERVER, to: '10.99.0.81', fromPort: 4000, toPort: 53 })
    const { listed } = await translate(rules, [asks, 'sessions'])
    expect(listed.sessions).toMatchObject([
      {
        from: 'ipv4',
        ipv4: { source: SERVER, sourcePort: 4000, destination: '10.99.0.81', destinationPort: 53 },
        ipv6: { source: 'fd46:64::9', sourcePort: 4000, destination: 'fd46::2', destinationPort: 5353 },
      },
    ])
  })

  test('leaves out those that ended', async () => {
    const { listed } = await translate(rules, [frame(out('fd46::2')), 'later 301', 'sessions'])
    expect(listed).toEqual({ live: 0, sessions: [] })
  })
})
