/** Reads that the server has no turn for are sent again; changes are not. */
import { joinRoom, readMe } from '@expresslane/shared/wire/room'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { call } from '../../src/api/request.ts'

const somebody = { id: 'alice', role: 'participant', name: 'Alice', workshop: true, mostSeconds: 120, records: false }
const problem = { code: 'too_many_requests', message: 'Too many.', remedy: 'Wait.', remedyCommand: null, detail: null }
const refusal = (headers: Record<string, string>): Response =>
  Response.json({ error: problem }, { status: 429, headers })

let answers: Response[] = []
let asked = 0

beforeEach(() => {
  vi.useFakeTimers()
  asked = 0
  vi.stubGlobal('fetch', async () => {
    asked += 1
    return answers.shift()
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('sends a read again after the time that the server names', async () => {
  answers = [refusal({ 'retry-after': '2' }), Response.json(somebody)]
  const read = call(readMe)
  await vi.advanceTimersByTimeAsync(1999)
  expect(asked).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(await read).toEqual(somebody)
  expect(asked).toBe(2)
})

it('gives up in the end', async () => {
  answers = Array.from({ length: 20 }, () => refusal({ 'retry-after': '1' }))
  const read = expect(call(readMe)).rejects.toMatchObject({ code: 'too_many_requests' })
  await vi.runAllTimersAsync()
  await read
  expect(asked).toBe(6)
})

it('sends nothing again that changes something, or without a time', async () => {
  answers = [refusal({ 'retry-after': '1' }), refusal({})]
  await expect(call(joinRoom, { body: {} })).rejects.toMatchObject({ code: 'too_many_requests' })
  await expect(call(readMe)).rejects.toMatchObject({ code: 'too_many_requests' })
  expect(asked).toBe(2)
})
