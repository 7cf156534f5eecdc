import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { inRoot } from '../base/paths.mjs'
import { openScreen } from '../testing/stages.mjs'

const place = mkdtempSync(join(tmpdir(), 'expresslane-stages-'))
afterAll(() => rmSync(place, { recursive: true }))

const nothing = { passed: 0, failed: [], skipped: 0 }

test('a stage beside other stages is printed in one piece, when it has ended and nothing else writes', async () => {
  const printed: string[] = []
  const screen = openScreen((text) => void printed.push(text), place)
  const [early, late, live] = [0, 0, 0].map(() => Promise.withResolvers<void>())
  const beside = (name: string, until: Promise<void> | undefined) =>
    screen.beside(name, async ({ say }) => {
      say(`${name} begins`)
      await until
      say(`${name} ends`)
      return nothing
    })
  const first = beside('first', early?.promise)
  const second = beside('second', late?.promise)
  const main = screen.live('main', async ({ say }) => {
    say('main begins')
    await live?.promise
    say('main ends')
    return nothing
  })
  early?.resolve()
  await first
  expect(printed).toEqual(['main begins\n'])
  live?.resolve()
  await main
  late?.resolve()
  await second
  expect(printed).toEqual([
    'main begins\n',
    'main ends\n',
    'first begins\nfirst ends\n',
    'second begins\nsecond ends\n',
  ])
  expect(screen.times().map((line) => line.replaceAll(/-?\d+/g, 'N'))).toEqual([
    'time: first took N s, from second N, processors N % busy',
    'time: main took N s, from second N, processors N % busy',
    'time: second took N s, from second N, processors N % busy',
    'time: everything took N s, processors N % busy',
  ])
})

/** Runs `summed` alone, because it writes to the standard output. */
function summedUp(plan: string): { readonly code: number | null; readonly lines: string[]; readonly says: string } {
  const script = `
    const { FrameError } = await import(${JSON.stringify(pathToFileURL(inRoot('scripts/base/say.mjs')).href)})
    const { summed } = await import(${JSON.stringify(pathToFileURL(inRoot('scripts/testing/stages.mjs')).href)})
    const order = []
    const stage = (name, ...failed) => async () => {
      order.push(name)
      await null
      order.push(name)
      return { passed: 1, failed, skipped: 0 }
    }
    const stopped = async () => { throw new FrameError('Stopped by SIGINT.', 'Run it again.') }
    process.exitCode = await summed(${plan})
    console.error(order.join(' '))`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  return { code: status, lines: stdout.trimEnd().split('\n'), says: stderr.trimEnd() }
}

test('stages follow each other or run at the same time, and the failed tests come before the line', () => {
  const plan = `[stage('a'), { beside: [stage('b', 'b: one'), [stage('c'), stage('d', 'd: two')]] }, stage('e')]`
  const { code, lines, says } = summedUp(plan)
  expect(says).toBe('a a b c b c d d e e')
  expect(lines).toEqual(['Failed:', '  b: one', '  d: two', '5 passed, 2 failed'])
  expect(code).toBe(1)
})

test('if all passed, there is the line alone', () => {
  expect(summedUp(`stage('a')`)).toMatchObject({ code: 0, lines: ['1 passed, 0 failed'] })
})

test('after a stop nothing more begins, and what has passed counts', () => {
  const { code, lines, says } = summedUp(`[stage('a'), { beside: [stopped, [stage('b'), stage('d')]] }, stage('c')]`)
  expect(says).toBe('Stopped by SIGINT. Run it again.\na a b b')
  expect(lines).toEqual(['Failed:', '  Stopped by SIGINT.', '2 passed, 1 failed'])
  expect(code).toBe(1)
})
