import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { processesHere } from '../../../src/testbeds/machine/process.ts'
import type { Line } from '../../../src/testbeds/machine/spawner-messages.ts'
import { createSpawner, type ProcessToStart, type Started } from '../../../src/testbeds/machine/spawner.ts'

const { PATH = '' } = process.env
const surroundings = { env: { PATH }, user: null }

/** The threads of this process that started a process: the kernel lists the children of each thread. */
function startersOf(pid: string): string[] {
  return readdirSync('/proc/self/task').filter((thread) => {
    const children = readFileSync(`/proc/self/task/${thread}/children`, 'latin1')
    return children.split(' ').includes(pid)
  })
}

interface Observed extends Started {
  readonly lines: Line[]
}

async function start(
  argv: readonly string[],
  input: ProcessToStart['input'] = 'nothing',
  spawner = createSpawner(),
): Promise<Observed> {
  const lines: Line[] = []
  const started = await spawner.start({ argv, surroundings, input, onLine: (...line) => void lines.push(line) })
  return { ...started, lines }
}

test('a process of this machine is started by another thread, so the event loop does not wait for it', async () => {
  const pid = Promise.withResolvers<string>()
  const { end, closed } = await processesHere(surroundings).start({
    argv: ['sh', '-c', 'echo $$; exec sleep 60'],
    onLine: (_stream, text) => pid.resolve(text),
  })
  onTestFinished(end)
  const own = readlinkSync('/proc/thread-self').split('/').at(-1)
  const starters = startersOf(await pid.promise)
  expect(starters).toHaveLength(1)
  expect(starters).not.toContain(own)
  await end()
  expect(await closed).toEqual({ code: null, signal: 'SIGTERM' })
})

test('all lines come before the end, also one without an end of line', async () => {
  const { closed, lines } = await start(['sh', '-c', 'echo one; echo two >&2; printf three; exit 4'])
  expect(await closed).toEqual({ code: 4, signal: null })
  expect(lines.filter(([stream]) => stream === 'stdout')).toEqual([
    ['stdout', 'one'],
    ['stdout', 'three'],
  ])
  expect(lines.filter(([stream]) => stream === 'stderr')).toEqual([['stderr', 'two']])
})

test('many more lines than may be on their way at once come whole and in order', async () => {
  const { closed, lines } = await start(['seq', '50000'])
  await closed
  expect(lines.map(([, text]) => Number(text))).toEqual(Array.from({ length: 50_000 }, (_, index) => index + 1))
})

test('a text is its whole input', async () => {
  const { closed, lines } = await start(['cat'], { text: 'a\nb\n' })
  await closed
  expect(lines.map(([, text]) => text)).toEqual(['a', 'b'])
})

test('open input takes text until it is finished', async () => {
  const { closed, lines, write, finish } = await start(['cat'], 'open')
  write('first\n')
  write('second\n')
  finish()
  expect(await closed).toEqual({ code: 0, signal: null })
  expect(lines.map(([, text]) => text)).toEqual(['first', 'second'])
  // The program has ended: nobody reads this line.
  write('third\n')
})

test('a program that does not exist is named, and the thread goes on', async () => {
  const spawner = createSpawner()
  await expect(start(['no-such-program'], 'nothing', spawner)).rejects.toMatchObject({
    code: 'tool_failed',
    message: 'no-such-program could not be started.',
    detail: 'spawn no-such-program ENOENT',
  })
  await expect(start(['echo', 'a\0b'], 'nothing', spawner)).rejects.toMatchObject({ code: 'tool_failed' })
  const { closed, lines } = await start(['echo', 'yes'], 'nothing', spawner)
  await closed
  expect(lines).toEqual([['stdout', 'yes']])
})
