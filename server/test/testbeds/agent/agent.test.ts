import { once } from 'node:events'
import { duplexPair, type Duplex } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { createAgent, type Agent } from '../../../src/testbeds/agent/agent.ts'
import { connectionOf } from '../../../src/testbeds/agent/stream.ts'
import { agentFrame, number } from './agent-frames.ts'

/** The connection's other end: writes the agent's frames, and reads the server's. */
interface Peer {
  send(...frames: Buffer[]): void
  /** The next frame of this type. */
  next(type: number): Promise<{ readonly channel: number; readonly payload: Buffer }>
  /** Frames of this type that have come and were not asked for. */
  seen(type: number): number
  readonly end: Duplex
}

function connected(): { agent: Agent; peer: Peer } {
  const [ours, end] = duplexPair()
  onTestFinished(() => void end.destroy())
  const agent = createAgent(connectionOf(ours), () => {})
  const kept: { type: number; channel: number; payload: Buffer }[] = []
  let bytes = Buffer.alloc(0)
  end.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    while (bytes.length >= 8 && bytes.length >= 8 + bytes.readUInt32LE(0)) {
      const length = 8 + bytes.readUInt32LE(0)
      kept.push({ type: bytes.readUInt16LE(4), channel: bytes.readUInt16LE(6), payload: bytes.subarray(8, length) })
      bytes = bytes.subarray(length)
    }
  })
  return {
    agent,
    peer: {
      end,
      send: (...frames) => void end.write(Buffer.concat(frames)),
      seen: (type) => kept.filter((frame) => frame.type === type).length,
      async next(type) {
        for (;;) {
          const at = kept.findIndex((frame) => frame.type === type)
          const [frame] = at < 0 ? [] : kept.splice(at, 1)
          if (frame !== undefined) return frame
          await once(end, 'data')
        }
      },
    },
  }
}

const [START, INPUT, INPUT_END, OUTPUT_CREDIT, PING] = [1, 3, 4, 5, 8]
const [STDOUT, INPUT_CREDIT, EXITED, FAILED, STARTED] = [65, 67, 68, 69, 71]
const spec = { argv: ['cat'], env: {}, input: true, namespace: null, onOutput: () => {} }

test('a process: started, its output in order, its exit', async () => {
  const { agent, peer } = connected()
  const output: string[] = []
  const process = await agent.start({
    ...spec,
    onOutput: (stream, bytes) => void output.push(`${stream} ${bytes.toString()}`),
  })
  const { channel } = await peer.next(START)
  peer.send(agentFrame(STARTED, channel, number(9)))
  expect(await process.started).toBe(true)
  peer.send(agentFrame(STDOUT, channel, Buffer.from('a')), agentFrame(66, channel, Buffer.from('b')))
  peer.send(agentFrame(EXITED, channel, number(256)))
  expect(await process.closed).toEqual({ type: 'exited', code: 1, signal: null })
  expect(output).toEqual(['stdout a', 'stderr b'])
})

test('a command that the machine fails to start is not started', async () => {
  const { agent, peer } = connected()
  const process = await agent.start(spec)
  const { channel } = await peer.next(START)
  peer.send(agentFrame(FAILED, channel, number(13)))
  expect(await process.started).toBe(false)
  expect(await process.closed).toEqual({ type: 'failed', error: 'EACCES' })
})

test('input waits for credit, and its end comes after it', async () => {
  const { agent, peer } = connected()
  const process = await agent.start(spec)
  const { channel } = await peer.next(START)
  const written = process.write(Buffer.alloc(100_000)).then(process.endInput)
  expect((await peer.next(INPUT)).payload).toHaveLength(65_536)
  expect(peer.seen(INPUT)).toBe(0)
  peer.send(agentFrame(INPUT_CREDIT, channel, number(10_000)))
  expect((await peer.next(INPUT)).payload).toHaveLength(10_000)
  expect(peer.seen(INPUT_END)).toBe(0)
  peer.send(agentFrame(INPUT_CREDIT, channel, number(65_536)))
  expect((await peer.next(INPUT)).payload).toHaveLength(100_000 - 75_536)
  await peer.next(INPUT_END)
  await written
})

test('the end of a process ends a write that waits', async () => {
  const { agent, peer } = connected()
  const process = await agent.start(spec)
  const { channel } = await peer.next(START)
  const written = process.write(Buffer.alloc(100_000))
  peer.send(agentFrame(EXITED, channel, number(0)))
  await written
  process.end()
  expect(await process.closed).toMatchObject({ code: 0 })
})

test('gives credit for as much output as has come, and never more than the window at once', async () => {
  const { agent, peer } = connected()
  await agent.start(spec)
  const first = await peer.next(OUTPUT_CREDIT)
  expect(first.payload.readUInt32LE()).toBe(256 * 1024)
  const part = Buffer.alloc(16_384)
  peer.send(...Array.from({ length: 6 }, () => agentFrame(STDOUT, first.channel, part)))
  expect((await peer.next(OUTPUT_CREDIT)).payload.readUInt32LE()).toBe(65_536)
  expect(peer.seen(OUTPUT_CREDIT)).toBe(0)
})

test('the 65th process waits until a channel is free', async () => {
  const { agent, peer } = connected()
  await Promise.all(Array.from({ length: 64 }, () => agent.start(spec)))
  const channels = new Set<number>()
  for (let count = 0; count < 64; count++) channels.add((await peer.next(START)).channel)
  expect(channels.size).toBe(64)
  const late = agent.start(spec)
  peer.send(agentFrame(EXITED, 17, number(0)))
  await late
  expect((await peer.next(START)).channel).toBe(17)
})

test('a file is read to its end, and one that can’t be read is null', async () => {
  const { agent, peer } = connected()
  const text = agent.read('/proc/uptime')
  const { channel, payload } = await peer.next(2)
  expect(payload.toString()).toBe('/proc/uptime\0')
  peer.send(agentFrame(STDOUT, channel, Buffer.from('1.2 ')), agentFrame(STDOUT, channel, Buffer.from('3.4\n')))
  peer.send(agentFrame(EXITED, channel, number(0)))
  expect((await text)?.toString()).toBe('1.2 3.4\n')
  const none = agent.read('/none')
  const next = await peer.next(2)
  peer.send(agentFrame(FAILED, next.channel, number(2)))
  expect(await none).toBeNull()
})

test.each([
  ['the connection ends', (end: Duplex) => void end.end()],
  ['the peer sends what no agent sends', (end: Duplex) => void end.write(Buffer.alloc(64, 0xff))],
])('when %s, everything in flight ends, and what comes later ends at once', async (_, breaks) => {
  const { agent, peer } = connected()
  const process = await agent.start(spec)
  const written = process.write(Buffer.alloc(100_000))
  const answered = agent.ping()
  await peer.next(PING)
  breaks(peer.end)
  expect(await process.closed).toEqual({ type: 'lost' })
  await written
  expect(await answered).toBe(false)
  expect(await agent.ping()).toBe(false)
  expect(await agent.read('/proc/uptime')).toBeNull()
  expect(await (await agent.start(spec)).closed).toEqual({ type: 'lost' })
})
