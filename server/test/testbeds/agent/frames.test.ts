import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createFrameReader,
  endFrame,
  inputFrame,
  MOST_PAYLOAD,
  outputCreditFrame,
  readFrame,
  signalFrame,
  startFrame,
  type Frame,
} from '../../../src/testbeds/agent/frames.ts'
import { agentFrame, number } from './agent-frames.ts'

const recorded = Buffer.concat([
  agentFrame(64, 0, Buffer.concat([number(1), Buffer.of(0, 0x94, 0x35, 0x77, 0, 0, 0, 0)])),
  agentFrame(71, 3, number(57)),
  agentFrame(65, 3, Buffer.from('hello\n')),
  agentFrame(66, 3, Buffer.from([0xff, 0])),
  agentFrame(67, 3, number(4096)),
  agentFrame(68, 3, number(7 << 8)),
  agentFrame(68, 63, number(15)),
  agentFrame(69, 4, number(2)),
])
const frames: readonly Frame[] = [
  { type: 'hello', protocol: 1, clockNs: 2_000_000_000n },
  { type: 'started', channel: 3 },
  { type: 'output', channel: 3, stream: 'stdout', bytes: Buffer.from('hello\n') },
  { type: 'output', channel: 3, stream: 'stderr', bytes: Buffer.from([0xff, 0]) },
  { type: 'inputCredit', channel: 3, bytes: 4096 },
  { type: 'exited', channel: 3, code: 7, signal: null },
  { type: 'exited', channel: 63, code: null, signal: 'SIGTERM' },
  { type: 'failed', channel: 4, error: 'ENOENT' },
]

test('reads every frame of the agent', () => {
  expect(createFrameReader()(recorded)).toEqual(frames)
})

test('the pieces in which the bytes come make no difference', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: recorded.length })), (cuts) => {
      const read = createFrameReader()
      const places = [0, ...cuts.toSorted((a, b) => a - b), recorded.length]
      expect(places.slice(1).flatMap((to, index) => read(recorded.subarray(places[index], to)))).toEqual(frames)
    }),
  )
})

test.each([
  ['a frame that is too long', agentFrame(65, 0, Buffer.alloc(0), MOST_PAYLOAD + 1)],
  ['a channel that there is not', agentFrame(65, 64, Buffer.from('x'))],
  ['a type that there is not', agentFrame(99, 0, Buffer.alloc(0))],
  ['a number cut short', agentFrame(68, 0, Buffer.of(1, 2))],
])('refuses %s', (_, bytes) => {
  expect(() => createFrameReader()(bytes)).toThrow(RangeError)
})

test('a start has its counts, then its namespace, every word and every variable', () => {
  const bytes = startFrame(5, { argv: ['ip', '-j', 'link'], env: { PATH: '/usr/bin' }, input: true, namespace: null })
  expect(bytes.subarray(0, 8)).toEqual(Buffer.of(bytes.length - 8, 0, 0, 0, 1, 0, 5, 0))
  expect(bytes.subarray(8).toString('latin1')).toBe('\u0001\u0003\0\u0001\0\0ip\0-j\0link\0PATH=/usr/bin\0')
  const inside = startFrame(5, { argv: ['ip'], env: {}, input: false, namespace: '/run/netns/pod1' })
  expect(inside.subarray(8).toString('latin1')).toBe('\0\u0001\0\0\0/run/netns/pod1\0ip\0')
})

test('the other frames to the agent', () => {
  const payloads = [readFrame(1, '/proc/uptime'), inputFrame(2, Buffer.from('in')), outputCreditFrame(3, 65_536)]
  expect(payloads.map((bytes) => bytes.toString('latin1', 4))).toEqual([
    '\u0002\0\u0001\0/proc/uptime\0',
    '\u0003\0\u0002\0in',
    '\u0005\0\u0003\0\0\0\u0001\0',
  ])
  expect([signalFrame(4, 'SIGTERM'), endFrame(4)].map((bytes) => bytes.toString('latin1', 4))).toEqual([
    '\u0006\0\u0004\0\u000f',
    '\u0007\0\u0004\0',
  ])
})

test('refuses to send what the agent would not take', () => {
  const start = (argv: readonly string[]) => () => startFrame(0, { argv, env: {}, input: false, namespace: null })
  expect(start([])).toThrow(RangeError)
  expect(start(Array.from({ length: 1025 }, () => 'x'))).toThrow(RangeError)
  expect(start(['x'.repeat(MOST_PAYLOAD)])).toThrow(RangeError)
  expect(start(['a\0b'])).toThrow(RangeError)
})
