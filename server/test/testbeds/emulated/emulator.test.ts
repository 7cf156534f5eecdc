/** The emulated computer goes on from its saved state, and its agent works for the server's own code. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createAgent, type Agent } from '../../../src/testbeds/agent/agent.ts'
import { startEmulator, type Emulator } from '../../../src/testbeds/emulated/emulator.ts'
import { connectionTo, terminalShell } from '../../../src/testbeds/emulated/place.ts'

/** The folder of the built computer; empty if it is not built from the present sources. */
const builder = fileURLToPath(new URL('../../../../scripts/machine/main.mjs', import.meta.url))
const folder = execFileSync(process.execPath, [builder, 'where'], { encoding: 'utf8' }).trim()
if (folder === '')
  process.stderr.write('SKIPPED the tests of the emulated computer: it is not built: npm run site -- --machine\n')

const about = z.object({ clockMs: z.number(), memoryMb: z.number(), said: z.base64(), kernel: z.string() })

interface Restored {
  readonly emulator: Emulator
  readonly agent: Agent
  readonly protocol: Promise<number>
  readonly kernel: string
}

async function restore(from: string): Promise<Restored> {
  const buffer = (name: string): ArrayBuffer => new Uint8Array(readFileSync(join(from, name))).buffer
  const { clockMs, memoryMb, said, kernel } = about.parse(JSON.parse(readFileSync(join(from, 'machine.json'), 'utf8')))
  const emulator = await startEmulator({
    files: { wasm: buffer('v86.wasm'), bios: buffer('bios.bin') },
    start: { state: buffer('state.zst'), said: Buffer.from(said, 'base64') },
    clockMs,
    memoryMb,
  })
  const hello = Promise.withResolvers<number>()
  const agent = createAgent(connectionTo(emulator), ({ protocol }) => hello.resolve(protocol))
  emulator.go()
  return { emulator, agent, protocol: hello.promise, kernel }
}

const restored = folder === '' ? null : await restore(folder)
afterAll(() => restored?.emulator.close())

async function output(agent: Agent, argv: readonly string[]): Promise<string> {
  const words: string[] = []
  const child = await agent.start({
    argv,
    env: { PATH: '/usr/bin' },
    input: false,
    namespace: null,
    onOutput: (_, bytes) => void words.push(bytes.toString('utf8')),
  })
  expect(await child.closed, words.join('')).toEqual({ type: 'exited', code: 0, signal: null })
  return words.join('')
}

test.skipIf(restored === null)('a restored computer goes on, and its agent starts programs', async () => {
  if (restored === null) return
  const { emulator, agent, protocol, kernel } = restored
  const begunMs = emulator.now()
  expect(await protocol).toBe(3)
  expect(await output(agent, ['cat', '/proc/version'])).toContain(`Linux version ${kernel} `)
  await output(agent, ['ip', 'netns', 'add', 'x'])
  expect(await output(agent, ['ip', '-n', 'x', 'link'])).toContain('lo: <LOOPBACK>')
  // More than a buffer of the port, and binary: every byte comes back.
  const sent = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251))
  const back: Buffer[] = []
  const cat = await agent.start({
    argv: ['cat'],
    env: { PATH: '/usr/bin' },
    input: true,
    namespace: null,
    onOutput: (_, bytes) => void back.push(Buffer.from(bytes)),
  })
  await cat.write(sent)
  cat.endInput()
  await cat.closed
  expect(Buffer.concat(back).equals(sent)).toBe(true)
  expect(emulator.now()).toBeGreaterThan(begunMs)
  expect(emulator.instructions()).toBeGreaterThan(0)
})

test.skipIf(restored === null)('a shell in a terminal has iproute2, and what it started ends with it', async () => {
  if (restored === null) return
  const { agent } = restored
  const env = { PATH: '/usr/bin', PS1: '$ ' }
  const openShell = async () => {
    let text = ''
    const started = Promise.withResolvers<void>()
    const onOutput = (_: string, bytes: Buffer): void => {
      text += bytes.toString('utf8')
      if (/iproute2-[^]*left 42/.test(text)) started.resolve()
    }
    const input = { rows: 24, columns: 80 }
    const child = await agent.start({ argv: terminalShell, env, input, namespace: null, onOutput })
    await child.write(Buffer.from('ip -V; while :; do sleep 9999999; done & echo left $((40 + 2))\r'))
    await started.promise
    return child
  }
  const [left, ended] = [await openShell(), await openShell()]
  const sleeping = ['sh', '-c', "ps | grep -c '[s]leep 9999999'; true"]
  expect(await output(agent, sleeping)).toBe('2\n')
  await left.write(Buffer.from('exit\r'))
  ended.end()
  expect(await Promise.all([left.closed, ended.closed])).toMatchObject([{ type: 'exited' }, { type: 'exited' }])
  expect(await output(agent, sleeping)).toBe('0\n')
})

test.skipIf(restored === null)('a computer that stands still has a clock that stands still', async () => {
  if (restored === null) return
  const { emulator, agent } = restored
  emulator.stop()
  const answered = agent.ping()
  // A turn of its loop that has begun still ends.
  await new Promise((resolve) => setImmediate(resolve))
  const stood = emulator.now()
  await new Promise((resolve) => setImmediate(resolve))
  expect(emulator.now()).toBe(stood)
  emulator.go()
  expect(await answered).toBe(true)
})
