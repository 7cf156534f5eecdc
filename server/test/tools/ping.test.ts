import { expect, test } from 'vitest'
import { parsePing, pingArgv } from '../../src/tools/ping.ts'

/** As ping of iputils 20221126 prints it. */
const statistics = ['', '--- 10.99.0.3 ping statistics ---']
const begin = 'PING 10.99.0.3 (10.99.0.3) 1472(1500) bytes of data.'

test('ping sends one packet of a length, in one piece', () => {
  expect(pingArgv({ address: '10.99.0.3', packetBytes: 1500, seconds: 5 }).join(' ')).toBe(
    'ping -4 -n -c 1 -W 5 -M do -s 1472 10.99.0.3',
  )
})

test.each([
  [
    'is answered',
    [
      '1480 bytes from 10.99.0.3: icmp_seq=1 ttl=62 time=0.052 ms',
      ...statistics,
      '1 packets transmitted, 1 received, 0% packet loss, time 0ms',
    ],
    true,
    { kind: 'answered' },
  ],
  [
    'is too big',
    [
      'From 10.46.1.1 icmp_seq=1 Frag needed and DF set (mtu = 1480)',
      ...statistics,
      '1 packets transmitted, 0 received, +1 errors, 100% packet loss, time 0ms',
    ],
    false,
    { kind: 'too-big', from: '10.46.1.1', mtu: 1480 },
  ],
  [
    'stays without an answer',
    [...statistics, '1 packets transmitted, 0 received, 100% packet loss, time 0ms'],
    false,
    { kind: 'silent' },
  ],
])('an echo %s', (_, lines, ok, result) => {
  expect(parsePing([begin, ...lines], ok)).toEqual(result)
})
