/** Checking in a worker thread: the same answers, within limits, while this thread goes on. */
import { LabError } from '@expresslane/shared/base/errors'
import { formatRecording } from '@expresslane/shared/recordings/recording'
import { expect, it, onTestFinished } from 'vitest'
import { recordingId } from '../../src/replay/bytes.ts'
import { createChecks } from '../../src/replay/check-apart.ts'
import { readRecording } from '@expresslane/shared/recordings/file/check'
import { systemClock } from '../../src/runs/clock.ts'
import { testClock } from '../support/clock.ts'
import { countTurns } from '../support/turns.ts'
import { aRecording, aRun, progress } from '../support/runs/recordings.ts'

const file = Buffer.from(formatRecording(aRecording([aRun('baseline', [[5, progress('one')]])])))
const ample = { megabytes: 512, ms: 60_000 }

function opened(limits = ample, clock = systemClock) {
  const checks = createChecks(clock, limits)
  onTestFinished(() => checks.close())
  return checks
}

async function refusal(of: Promise<unknown>): Promise<LabError> {
  return of.then(
    () => Promise.reject(new Error('it was read')),
    (error: unknown) => (error instanceof LabError ? error : Promise.reject(error as Error)),
  )
}

it('gives the outline that the check in this thread gives', async () => {
  expect(await opened().check(file)).toEqual({ id: recordingId(file), ...readRecording(file) })
})

it('gives line, field and remedy of what is wrong', async () => {
  const { code, message, remedy } = await refusal(opened().check(Buffer.from('{"format": 1}')))
  expect(code).toBe('recording_invalid')
  expect(message).toContain('Line 1, field format: ')
  expect(remedy).not.toBe('')
})

it('leaves this thread free: it has hundreds of turns meanwhile', async () => {
  const repeats = Array.from({ length: 20_000 }, (_, at) => [at, progress(`line ${at}`)] as const)
  const hard = Buffer.from(
    formatRecording(aRecording([aRun('baseline', repeats)])).replace('"run.ended"', '"run.over"'),
  )
  const turns = countTurns()
  onTestFinished(() => turns.stop())
  const { code } = await refusal(opened().check(hard))
  expect(code).toBe('recording_invalid')
  expect(turns.count()).toBeGreaterThan(200)
})

it('ends at its limit of memory, and this process does not', async () => {
  const { code, message } = await refusal(opened({ ...ample, megabytes: 8 }).check(file))
  expect(code).toBe('recording_invalid')
  expect(message).toContain('too much memory')
})

it('ends at its limit of time', async () => {
  const clock = testClock()
  const refused = refusal(opened(ample, clock).check(file))
  await Promise.resolve()
  clock.advance(ample.ms)
  const { code, message } = await refused
  expect(code).toBe('recording_invalid')
  expect(message).toContain('too much time')
})

it('takes one file after the other, and none after it was closed', async () => {
  const checks = opened()
  const bad = refusal(checks.check(Buffer.from('no JSON')))
  const good = checks.check(file)
  expect((await bad).message).toContain('not valid JSON')
  expect((await good).id).toBe(recordingId(file))
  const open = refusal(checks.check(file))
  checks.close()
  expect((await open).code).toBe('server_restarted')
})
