/** 10,000 hostile inputs in real terminals of a real server, which leave it, its neighbours and the host as they were. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openTerminal, type TerminalMessage } from '@expresslane/shared/wire/terminal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ask } from '../support/http/server.ts'
import { startMain, type MainProgram } from '../support/http/process.ts'
import { note } from '../contract/contract-kit.ts'
import { netnsTestbed } from '../support/netns.ts'
import { pair } from '../support/runs/pair.ts'
import { descendants, hostNetwork, isRunning } from '../testbeds/netns/host.ts'
import { hostileFrames, hostileInputs, type HostileInput } from './hostile-inputs.ts'

const SEED = 1
const INPUTS = 10_000
const FRAMES = 844
/** Lines of one paste. */
const BATCH = 500
const NOBODY = 65_534
/** The server's memory may grow by so much. */
const MOST_MIB = 50
/** The kinds beside which the rest is looked at. */
const goingOn: readonly string[] = ['endless output', 'fork bombs']
const MIB = 1024 * 1024

let program: MainProgram
let where: { readonly port: number; readonly token: string; readonly dir: string }
const ends: (() => void)[] = []

async function call(path: string, method = 'GET', body?: object) {
  const headers = { authorization: `Bearer ${where.token}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  return ask(where.port, path, { method, headers, ...sent })
}

function connectTo(id: string): WebSocket {
  const headers = { authorization: `Bearer ${where.token}` }
  return new WebSocket(`ws://127.0.0.1:${where.port}/api/terminals/${id}/stream`, { headers }).on('error', () => {})
}

/** A shell, as a page has it. */
async function openShell() {
  const opened = await call('/api/testbeds/netns/terminals', 'POST', { place: 'node1', rows: 24, columns: 80 })
  expect(opened.status, opened.text).toBe(201)
  const { id } = openTerminal.response.parse(JSON.parse(opened.text))
  const socket = connectTo(id)
  let output = ''
  socket.on('message', (data, isBinary) => {
    const text = Buffer.isBuffer(data) ? data.toString('utf8') : ''
    if (isBinary) output = (output + text).slice(-MIB)
  })
  await expect.poll(() => socket.readyState).toBe(WebSocket.OPEN)
  const send = (message: TerminalMessage): void => socket.send(JSON.stringify(message))
  return {
    id,
    output: () => output,
    type(text: string): void {
      for (let at = 0; at < text.length; at += 200) send({ type: 'keys', text: text.slice(at, at + 200) })
    },
    /** Resolves with the output of a line. The mark is not what was typed. */
    async run(line: string): Promise<string> {
      output = ''
      this.type(`${line}\necho mar''k\n`)
      await expect.poll(() => /^mark/m.test(output), { timeout: 600_000 }).toBe(true)
      return output
    },
    /** Ends the terminal when the server has taken everything that was typed. */
    async end(): Promise<void> {
      socket.close()
      await expect.poll(() => socket.readyState).toBe(WebSocket.CLOSED)
      // It may have ended by itself.
      expect([204, 404]).toContain((await call(`/api/terminals/${id}`, 'DELETE')).status)
    },
  }
}
type Shell = Awaited<ReturnType<typeof openShell>>

/** A number of /proc/PID/status, such as VmRSS in KiB. */
const statusOf = (name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${program.child.pid}/status`, 'latin1'))?.[1])
const openFiles = (): number => readdirSync(`/proc/${program.child.pid}/fd`).length
const digestOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** The settings of the kernel that a namespace does not have for itself. */
function settings(): Record<string, string> {
  const volatile = /random|ns_last_pid|nr|state|seed|pty/
  const folders = ['/proc/sys/kernel', '/proc/sys/vm', '/proc/sys/fs']
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((one) =>
      one.isFile() && !volatile.test(one.name) ? [join(folder, one.name)] : [],
    ),
  )
  return Object.fromEntries(
    files.flatMap((file) => {
      try {
        return [[file, readFileSync(file, 'latin1')]]
      } catch {
        // Only to be written.
        return []
      }
    }),
  )
}

function host() {
  return {
    network: hostNetwork(),
    mounts: readFileSync('/proc/self/mounts', 'latin1'),
    settings: settings(),
    devices: readdirSync('/dev').toSorted(),
    secret: digestOf(join(where.dir, 'secret')),
    token: digestOf(join(where.dir, 'token')),
    programs: readdirSync('/usr/bin').length,
  }
}

beforeAll(async () => {
  program = startMain({}, 'src/main.ts', (end) => ends.push(end))
  where = await program.ready
  writeFileSync(join(where.dir, 'secret'), 'the secret of the host\n')
})
afterAll(() => {
  for (const end of ends.toReversed()) end()
})

describe('hostile inputs', () => {
  test('all of them leave the server, the neighbour and the host as they were', async () => {
    // It runs as the user of the shells.
    const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
    const bystander = spawn('sleep', ['100000'], { ...user, stdio: 'ignore' })
    ends.push(() => void bystander.kill('SIGKILL'))
    const pids = [program.child.pid ?? 0, bystander.pid ?? 0]

    const neighbour = await openNeighbour()
    const neighbourBefore = await neighbour.look()
    // The testbed, and what its terminals share.
    await (await openShell()).end()
    const processes = (): string[] =>
      descendants(program.child.pid ?? 0)
        .map(({ name }) => name)
        .toSorted()
    const before = { host: host(), processes: processes(), rss: statusOf('VmRSS'), files: openFiles() }

    const inputs = hostileInputs(SEED, { port: where.port, data: where.dir, pids })
    const frames = hostileFrames(SEED, FRAMES)
    expect(inputs.length + frames.length).toBe(INPUTS)

    async function stands(): Promise<void> {
      expect((await call('/healthz')).status).toBe(200)
      expect(await neighbour.look()).toEqual(neighbourBefore)
      expect(isRunning(bystander.pid ?? 0)).toBe(true)
      expect(statusOf('VmRSS') - before.rss).toBeLessThan(MOST_MIB * 1024)
    }

    const lines = shuffled(inputs.filter(({ last }) => !last))
    for (let at = 0; at < lines.length; at += BATCH) {
      const shell = await openShell()
      await shell.run(
        lines
          .slice(at, at + BATCH)
          .map(({ text }) => text)
          .join('\n'),
      )
      expect(shell.output()).not.toContain('the secret of the host')
      expect(shell.output()).not.toContain(where.token)
      await shell.end()
      await stands()
    }
    for (const { kind, text } of inputs.filter(({ last }) => last)) {
      const shell = await openShell()
      shell.type(text)
      if (goingOn.includes(kind)) await stands()
      await shell.end()
    }
    await stands()
    const shell = await openShell()
    for (const frame of frames) await sendTo(shell, frame)
    await shell.end()
    await stands()

    expect(host()).toEqual(before.host)
    await expect.poll(processes).toEqual(before.processes)
    expect(openFiles()).toBeLessThanOrEqual(before.files + 64)
    expect(program.child.exitCode).toBeNull()
  })
})

/** Another testbed of the same user on this machine, with a terminal. */
async function openNeighbour() {
  const testbed = netnsTestbed()
  ends.push(() => void testbed.close())
  await testbed.deploy(pair, 'other-node', note())
  let output = ''
  const start = {
    namespace: 'pod1',
    size: { rows: 24, columns: 80 },
    onOutput: (bytes: Buffer) => void (output = (output + bytes.toString('utf8')).slice(-MIB)),
  }
  const terminal = await testbed.terminals?.open(start, note())
  void terminal?.write(Buffer.from('echo untouched >/tmp/mine\n'))
  return {
    async look() {
      output = ''
      void terminal?.write(Buffer.from("cat /tmp/*; echo mar''k\n"))
      await expect.poll(() => /^mark/m.test(output)).toBe(true)
      expect(output).toMatch(/^untouched/m)
      const { kernel, placement } = await testbed.read(note())
      return { placement, devices: kernel.map((device) => ({ ...device, counters: null })) }
    },
  }
}

/** Sends a message on a connection of its own. A malformed one closes it. */
async function sendTo({ id }: Shell, frame: string | Buffer): Promise<void> {
  const socket = connectTo(id)
  await expect.poll(() => socket.readyState, { interval: 2 }).toBe(WebSocket.OPEN)
  socket.send(frame, { binary: false })
  socket.close()
  await expect.poll(() => socket.readyState, { interval: 2 }).toBe(WebSocket.CLOSED)
}

/** In another order, the same each time. */
function shuffled(inputs: readonly HostileInput[]): HostileInput[] {
  return inputs
    .map((input) => ({ input, by: createHash('md5').update(input.text).digest('hex') }))
    .toSorted((a, b) => (a.by < b.by ? -1 : 1))
    .map(({ input }) => input)
}
