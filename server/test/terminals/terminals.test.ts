/** Terminals go on without a page, within limits, and are a person's own. */
import { expect, test } from 'vitest'
import { thisMachine } from '@expresslane/shared/testbed/id'
import type { TerminalSize } from '../../src/testbeds/terminal.ts'
import { createTerminals } from '../../src/terminals/terminals.ts'
import { testClock } from '../support/clock.ts'
import { fakeShell } from '../support/fakes/fake-shell.ts'

function setUp() {
  const clock = testClock()
  const shells: ReturnType<typeof fakeShell>[] = []
  const commanded: string[] = []
  const terminals = createTerminals(
    {
      async get() {
        return {
          terminals: {
            places: ['pod1'],
            wereUsed: () => false,
            undo: async () => [],
            async open(asked) {
              const shell = fakeShell()
              shells.push(shell)
              return shell.opens(asked)
            },
          },
        }
      },
    },
    clock,
    (testbed) => void commanded.push(testbed),
  )
  const open = (person = 'owner') => terminals.open(person, thisMachine, 'pod1', { rows: 24, columns: 80 })
  return { clock, terminals, shells, open, commanded }
}

/** A page that notes what it gets. */
function page() {
  const seen: string[] = []
  return {
    seen,
    viewer: {
      output: (bytes: Buffer) => void seen.push(bytes.toString()),
      resized: ({ rows, columns }: TerminalSize) => void seen.push(`${rows}x${columns}`),
      ended: (message: string) => void seen.push(`ended: ${message}`),
    },
  }
}

test('a page that comes back gets the rest, and both pages what comes then', async () => {
  const { terminals, shells, open } = setUp()
  const { id } = await open()
  const [shell] = shells
  const [first, second] = [page(), page()]
  const { leave } = terminals.require('owner', id).watch(first.viewer, undefined)
  void shell?.print('one ')
  leave()
  void shell?.print('two ')
  const { byte } = terminals.require('owner', id).watch(second.viewer, 4)
  await Promise.resolve()
  void shell?.print('three')
  expect([first.seen, byte, second.seen]).toEqual([['one '], 4, ['two ', 'three']])
  await terminals.require('owner', id).type('ls\r')
  expect(shell?.typed).toEqual(['ls\r'])
})

test('sends every page the size, and reports to its listeners each terminal that opens or ends', async () => {
  const { terminals, shells, open, clock } = setUp()
  const counts: number[] = []
  const unsubscribe = terminals.subscribe(() => void counts.push(terminals.of('owner', thisMachine).length))
  const { id } = await open()
  const { viewer, seen } = page()
  expect(terminals.require('owner', id).watch(viewer, undefined).size).toEqual({ rows: 24, columns: 80 })
  terminals.require('owner', id).resize({ rows: 30, columns: 90 })
  clock.advance(1000)
  expect(seen).toEqual(['30x90'])
  expect(terminals.require('owner', id).watch(page().viewer, undefined).size).toEqual({ rows: 30, columns: 90 })
  shells[0]?.exit(0)
  await expect.poll(() => counts).toEqual([1, 0])
  unsubscribe()
  await open()
  expect(counts).toEqual([1, 0])
})

test('says how the shell ended, and is then gone', async () => {
  const { terminals, shells, open } = setUp()
  const { id } = await open()
  const { viewer, seen } = page()
  terminals.require('owner', id).watch(viewer, undefined)
  shells[0]?.exit(3)
  await expect.poll(() => seen).toEqual(['ended: The shell ended with 3.'])
  expect(() => terminals.require('owner', id)).toThrow('This terminal has ended.')
  expect(terminals.of('owner', thisMachine)).toEqual([])
})

test('is found by its person alone, who has at most eight', async () => {
  const { terminals, open } = setUp()
  const { id } = await open()
  expect(() => terminals.require('somebody', id)).toThrow('This terminal has ended.')
  const rest = await Promise.allSettled(Array.from({ length: 9 }, () => open()))
  expect(rest.filter(({ status }) => status === 'fulfilled')).toHaveLength(7)
  await expect(open()).rejects.toThrow('You already have 8 terminals here.')
  await expect(open('somebody')).resolves.toMatchObject({ place: 'pod1' })
})

test('ends after an hour without a page', async () => {
  const { clock, terminals, open } = setUp()
  const { id } = await open()
  const { viewer } = page()
  const { leave } = terminals.require('owner', id).watch(viewer, undefined)
  clock.advance(7_200_000)
  expect(terminals.of('owner', thisMachine)).toHaveLength(1)
  leave()
  clock.advance(3_600_000)
  await expect.poll(() => terminals.of('owner', thisMachine)).toEqual([])
})

test('output without end has to wait for the next second', async () => {
  const { clock, shells, open } = setUp()
  await open()
  const [shell] = shells
  expect(shell?.print('x'.repeat(1000))).toBeUndefined()
  const held = shell?.print('x'.repeat(600_000))
  expect(held).toBeInstanceOf(Promise)
  expect(await Promise.race([held, Promise.resolve('waits')])).toBe('waits')
  clock.advance(1000)
  await held
  expect(shell?.print('x')).toBeUndefined()
})

test('a ninth page takes the place of the first', async () => {
  const { terminals, shells, open } = setUp()
  const { id } = await open()
  const pages = Array.from({ length: 9 }, page)
  for (const { viewer } of pages) terminals.require('owner', id).watch(viewer, undefined)
  void shells[0]?.print('one')
  expect(pages.map(({ seen }) => seen)).toEqual([
    ['ended: This terminal is open in 8 newer pages.'],
    ...Array.from({ length: 8 }, () => ['one']),
  ])
})

test('of many sizes in a moment the shell gets the last', async () => {
  const { clock, terminals, shells, open } = setUp()
  const { resize } = terminals.require('owner', (await open()).id)
  for (let columns = 1; columns <= 1000; columns++) resize({ rows: 24, columns })
  clock.advance(50)
  resize({ rows: 25, columns: 80 })
  clock.advance(50)
  expect(shells[0]?.sizes).toEqual([
    { rows: 24, columns: 1000 },
    { rows: 25, columns: 80 },
  ])
})

test('the path is read soon after a command, once for several at once', async () => {
  const { clock, terminals, open, commanded } = setUp()
  const { id } = await open()
  const terminal = terminals.require('owner', id)
  await terminal.type('ip link')
  clock.advance(1000)
  expect(commanded).toEqual([])
  await terminal.type('\r')
  await terminal.type('ip addr\n')
  expect(commanded).toEqual([])
  clock.advance(1000)
  expect(commanded).toEqual([thisMachine])
})
