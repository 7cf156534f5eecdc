import { expect, test } from 'vitest'
import { parseEchoTime } from '../../src/tools/ping.ts'
import { parsePolicer, parseQueues } from '../../src/tools/traffic-control.ts'

test('reads the queues of a namespace, and leaves out what tc prints without a name', () => {
  const queues = [
    {},
    { kind: 'tbf', dev: 'ifb0', options: { rate: 2_500_000, burst: 262_144, lat: 200_000 }, packets: 12, drops: 3 },
    {
      kind: 'netem',
      dev: 'lxc2',
      options: { limit: 200, delay: { delay: 0.02 }, 'loss-random': { loss: 0.01 }, rate: { rate: 2_500_000 } },
    },
  ]
  expect(parseQueues(JSON.stringify(queues))).toMatchObject([
    { kind: 'tbf', dev: 'ifb0', options: { rate: 2_500_000 }, packets: 12, drops: 3 },
    { kind: 'netem', dev: 'lxc2', options: { 'loss-random': { loss: 0.01 } }, packets: 0, drops: 0 },
  ])
  expect(() => parseQueues('Error: no such device')).toThrow('could not be read')
})

test('reads a policer, and says so where there is none', () => {
  const shown = [
    'filter protocol all pref 49152 matchall chain 0 handle 0x1 ',
    '\taction order 1:  police 0x1 rate 20Mbit burst 512Kb mtu 2Kb action drop overhead 0b ',
    '\tAction statistics:',
    '\tSent 123456 bytes 90 pkt (dropped 7, overlimits 7 requeues 0) ',
  ]
  expect(parsePolicer(shown.join('\n'))).toEqual({ mbit: 20, passed: 83, dropped: 7 })
  expect(() => parsePolicer('')).toThrow('could not be read')
})

test('reads the time of an echo, and nothing else', () => {
  expect(parseEchoTime('64 bytes from 10.32.2.2: icmp_seq=12 ttl=62 time=44.1 ms')).toEqual({
    sequence: 12,
    milliseconds: 44.1,
  })
  expect(parseEchoTime('rtt min/avg/max/mdev = 0.1/0.2/0.3/0.0 ms')).toBeNull()
})
