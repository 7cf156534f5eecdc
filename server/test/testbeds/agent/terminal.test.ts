/** A process in a terminal, started by the real agent. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { createAgent, type AgentProcess } from '../../../src/testbeds/agent/agent.ts'
import { connectionOf } from '../../../src/testbeds/agent/stream.ts'
import type { TerminalSize } from '../../../src/testbeds/terminal.ts'

const program = join(import.meta.dirname, `../../../native/bin/agent-${process.arch}`)

/** Starts a command in a terminal, and collects its output. */
async function inTerminal(argv: readonly string[], size: TerminalSize) {
  const child = spawn(program, ['stdio', '0'], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.stdin.end()
    if (child.exitCode === null) await once(child, 'close')
  })
  const agent = createAgent(connectionOf(Duplex.from({ readable: child.stdout, writable: child.stdin })), () => {})
  let text = ''
  const terminal: AgentProcess = await agent.start({
    argv,
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color' },
    input: size,
    namespace: null,
    onOutput: (_, bytes) => {
      text += bytes.toString('utf8')
    },
  })
  return { terminal, output: () => text }
}

test('has a terminal of the asked size, which is its own, and follows a change', async () => {
  const script =
    'stty size; ps -o tty= -p $$ | grep -q pts && echo own; read -r _; stty size; read -r line; echo "got $line"'
  const { terminal, output } = await inTerminal(['bash', '-c', script], { rows: 24, columns: 80 })
  await expect.poll(output).toContain('24 80\r\nown')
  terminal.resize({ rows: 50, columns: 132 })
  await terminal.write(Buffer.from('\r'))
  await expect.poll(output).toContain('50 132')
  await terminal.write(Buffer.from('grüße\r'))
  expect(await terminal.closed).toEqual({ type: 'exited', code: 0, signal: null })
  expect(output()).toContain('got grüße')
})

test('gets Ctrl-C as an interrupt, and Ctrl-D as the end of its input', async () => {
  const script = 'trap "echo interrupted" INT; echo ready; cat; echo over'
  const { terminal, output } = await inTerminal(['bash', '-c', script], { rows: 24, columns: 80 })
  await expect.poll(output).toContain('ready')
  await terminal.write(Buffer.from('\u0003'))
  await expect.poll(output).toContain('interrupted')
  expect(await terminal.closed).toMatchObject({ type: 'exited' })
})

test('ends with everything in it, also what ignores a hang-up', async () => {
  const { terminal, output } = await inTerminal(['bash', '-c', 'trap "" HUP TERM; echo ready; sleep 86397'], {
    rows: 24,
    columns: 80,
  })
  await expect.poll(output).toContain('ready')
  terminal.end()
  expect(await terminal.closed).toMatchObject({ type: 'exited', signal: 'SIGKILL' })
})

test('a program that is not there is refused', async () => {
  const { terminal } = await inTerminal(['no-such-program'], { rows: 24, columns: 80 })
  expect([await terminal.started, await terminal.closed]).toEqual([false, { type: 'failed', error: 'ENOENT' }])
})
