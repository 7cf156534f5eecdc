import { labsResponse, runAccepted, sessionView } from '@expresslane/shared/wire/protocol'
import { expect, it } from 'vitest'
import { classroom, participant } from '../support/http/people.ts'

const her = participant('alice').token

async function room() {
  const { server, hers } = await classroom()
  const get = (path: string, token: string, encoding: string) =>
    fetch(`http://127.0.0.1:${server.port}${path}`, {
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': encoding },
    })
  return { server, hers, get }
}

it('compresses large answers for those who are not the instructor, when the browser takes that', async () => {
  const { server, hers, get } = await room()
  const { id } = await hers.begins()
  const body = { params: { repeats: 2, seconds: 1 }, solve: true }
  const { runId } = await hers.read(runAccepted, `/api/sessions/${id}/steps/compare/run`, 202, body)
  await server.deps.scheduler.settled(runId)
  const path = `/api/sessions/${id}`
  const packed = await get(path, her, 'gzip, br')
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(sessionView.parse(await packed.json()).session.id).toBe(id)
  expect((await get(path, her, 'identity')).headers.get('content-encoding')).toBeNull()
  expect((await get(path, server.token, 'gzip')).headers.get('content-encoding')).toBeNull()
})

it('sends what is compressed already to everybody who takes that, and opens it for the rest', async () => {
  const { server, get } = await room()
  for (const token of [her, server.token]) {
    const packed = await get('/api/labs', token, 'gzip, br')
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    const plain = await get('/api/labs', token, 'identity')
    expect(plain.headers.get('content-encoding')).toBeNull()
    const list = labsResponse.parse(await plain.json())
    expect(list.labs).toHaveLength(server.deps.labs.all().length)
    expect(labsResponse.parse(await packed.json())).toEqual(list)
  }
})
