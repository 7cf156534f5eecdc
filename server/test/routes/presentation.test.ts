/** The presentation over HTTP and the stream, as presenter, participant and viewer. */
import { presentationResponse, type Presentation } from '@expresslane/shared/wire/presentation'
import type { StreamFrame } from '@expresslane/shared/wire/stream'
import { describe, expect, it } from 'vitest'
import { classroom, type Classroom } from '../support/http/people.ts'

const url = '/api/presentation'

async function presented(stepId = 'why') {
  const room = await classroom()
  const session = await room.instructor.begins()
  const body = { sessionId: session.id, stepId }
  const answer = await room.instructor.call(url, body, 'PUT')
  expect(answer.status).toBe(200)
  return { ...room, session }
}

async function now({ viewer }: Pick<Classroom, 'viewer'>): Promise<Presentation | null> {
  return (await viewer.read(presentationResponse, url)).presentation
}

describe('the presentation', () => {
  it('is begun, changed and ended by the instructor, and read by everybody', async () => {
    const room = await presented()
    const { instructor, session } = room
    expect(await now(room)).toMatchObject({ sessionId: session.id, stepId: 'why' })
    await instructor.call(`${url}/commands`, { do: 'go', stepId: 'preflight' })
    await instructor.call(`${url}/commands`, { do: 'blank', on: true })
    expect(await now(room)).toMatchObject({ stepId: 'preflight', blank: true })
    await instructor.call(url, undefined, 'DELETE')
    expect(await now(room)).toBeNull()
    expect(await instructor.tries(`${url}/commands`, { do: 'blank', on: true })).toEqual([409, 'not_presented'])
  })

  it('refuses sessions and steps that do not exist', async () => {
    const { instructor, session } = await presented()
    expect(await instructor.tries(url, { sessionId: 's_00000000', stepId: 'why' }, 'PUT')).toEqual([404, 'not_found'])
    expect(await instructor.tries(url, { sessionId: session.id, stepId: 'no' }, 'PUT')).toEqual([404, 'not_found'])
    expect(await instructor.tries(`${url}/commands`, { do: 'dance' })).toEqual([400, 'bad_request'])
  })

  it('takes answers from viewers and participants, not from the presenter', async () => {
    const room = await presented('compare')
    const { instructor, hers, viewer } = room
    const answer = { stepId: 'compare', answer: 'faster' }
    expect((await hers.call(`${url}/answers`, answer)).status).toBe(200)
    expect((await viewer.call(`${url}/answers`, { ...answer, answer: 'slower' })).status).toBe(200)
    expect(await instructor.tries(`${url}/answers`, answer)).toEqual([403, 'not_allowed'])
    expect((await now(room))?.poll?.answers).toEqual({ faster: 1, slower: 1, 'no-difference': 0 })
    expect(await viewer.tries(`${url}/answers`, { ...answer, stepId: 'why' })).toEqual([409, 'poll_closed'])
  })

  it('is sent to a viewer who joins late, and whenever it changes', async () => {
    const { instructor, viewer } = await presented('baseline')
    const stream = viewer.stream()
    const shows = (stepId: string | null) => (frames: readonly StreamFrame[]) =>
      frames.some((frame) => frame.type === 'presentation' && (frame.presentation?.stepId ?? null) === stepId)
    await stream.until(shows('baseline'))
    await instructor.call(`${url}/commands`, { do: 'go', stepId: 'compare' })
    await stream.until(shows('compare'))
    await instructor.call(url, undefined, 'DELETE')
    await stream.until(shows(null))
  })
})
