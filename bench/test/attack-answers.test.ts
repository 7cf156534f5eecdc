/** How the attacks read what a server answers to several outstanding requests. */
import { expect, it } from 'vitest'
import { answerReader, nameOf } from '../src/faults/attacks/answers.ts'

const refusal = '{"error":{"code":"too_many","message":"wäit"}}'
const text = [
  'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe\r\no\r\nA\r\n0123456789\r\n0\r\n\r\n',
  `HTTP/1.1 429 Too Many Requests\r\ncontent-length: ${Buffer.byteLength(refusal)}\r\n\r\n${refusal}`,
  'HTTP/1.1 204 No Content\r\n\r\n',
].join('')
const whole = [
  { status: 200, start: 'he\r\no' },
  { status: 429, start: Buffer.from(refusal).toString('latin1') },
  { status: 204, start: '' },
]

it('reads answers that arrive together', () => {
  expect(answerReader()(Buffer.from(text))).toEqual(whole)
})

it('reads answers that arrive byte by byte', () => {
  const take = answerReader()
  expect([...Buffer.from(text)].flatMap((byte) => take(Buffer.from([byte])))).toEqual(whole)
})

it('counts a refusal by its code', () => {
  expect(whole.map(nameOf)).toEqual(['200', '429 too_many', '204'])
})

it('does not take anything else for an answer', () => {
  expect(() => answerReader()(Buffer.from('hello\r\n\r\n'))).toThrow('no answer: hello')
})
