/** Requests that Node's HTTP parser refuses before any route sees them. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { errorBody } from '@expresslane/shared/base/errors'
import { expect, it } from 'vitest'
import { startServer } from '../support/http/server.ts'

async function answerTo(port: number, request: string): Promise<{ status: string; body: unknown }> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => (text += part))
  socket.write(request)
  await once(socket, 'close')
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { status: head.split('\r\n')[0] ?? '', body: JSON.parse(body) }
}

it.each([
  ['an address that is too long', `GET /api/${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ['what is not HTTP', 'HELLO\r\n\r\n', 400],
])('answers %s with an error body', async (_, request, status) => {
  const { port } = await startServer()
  const answer = await answerTo(port, request)
  expect(answer.status).toContain(` ${status} `)
  expect(errorBody.parse(answer.body).error.code).toBe('bad_request')
})
