/** The runs that the figures of a broken API server accept, and the runs that they refuse. */
import type { ErrorCode, Problem } from '@expresslane/shared/base/errors'
import { loggedEvent, type RunEvent } from '@expresslane/shared/run/events'
import { reduceRun } from '@expresslane/shared/test/reduce-run'
import type { RunState } from '@expresslane/shared/run/run-state'
import { expect, test } from 'vitest'
import { judge } from '../src/faults/api-server/judge.ts'

const started = {
  type: 'run.started',
  sessionId: 's_00000001',
  labId: 'big-tcp-ipv4',
  stepId: 'preflight',
  testbed: 'kubernetes:one',
  incarnation: 'one',
  params: {},
  solveTo: null,
}
const ended: RunEvent = { type: 'run.ended', state: 'completed', problem: null }

function runOf(events: readonly RunEvent[]): RunState {
  const log = [started, ...events].map((event, at) =>
    loggedEvent.parse({ seq: at + 1, runId: 'r_00000001', at, event }),
  )
  const run = log.reduce<RunState | null>(reduceRun, null)
  if (run === null) throw new Error('no events')
  return run
}

const problemOf = (code: ErrorCode): Problem => ({
  code,
  message: 'It failed.',
  remedy: 'Try again.',
  remedyCommand: null,
  detail: null,
})
const failed = (code: ErrorCode): RunEvent => ({ type: 'run.ended', state: 'failed', problem: problemOf(code) })
const checked = (passed: boolean, seen: string): RunEvent => ({
  type: 'step.checked',
  outcome: {
    passed,
    sentence: 'A sentence.',
    hint: null,
    observations: [{ label: 'one', expected: null, seen, ok: passed }],
  },
})
const found = (problem: ErrorCode | null): RunEvent => ({
  type: 'preflight.checked',
  check: {
    id: 'cluster',
    title: 'The API server answers',
    status: 'failed',
    seen: 'no',
    problem,
    remedy: 'Try again.',
    remedyCommand: null,
    blocks: 'all',
  },
})

test.each<readonly [string, readonly RunEvent[], boolean, string]>([
  ['passed', [checked(true, 'on'), ended], true, 'passed'],
  ['failed with a code of the connection', [failed('cluster_unreachable')], true, 'cluster_unreachable'],
  ['failed inside the product', [failed('internal')], false, 'internal'],
  ['has not ended', [], false, 'stuck'],
  ['read nothing, and says so', [checked(false, 'unknown: no answer'), ended], true, 'unknown'],
  ['read something wrong', [checked(false, 'off'), ended], false, 'completed'],
  ['has a failed check that blames the connection', [found('cluster_unreachable'), ended], true, 'a failed check'],
  ['has a failed check that blames something else', [found(null), ended], false, 'completed'],
])('a run that %s', (_title, events, isSound, says) => {
  const verdict = judge(runOf(events))
  expect([verdict.wrong === null, verdict.says]).toEqual([isSound, says])
})
