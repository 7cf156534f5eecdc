/** A page at a terminal: keys in small messages, and a lost connection that goes on where it was. */
import { MOST_KEYS, terminalMessage, type TerminalFrame } from '@expresslane/shared/wire/terminal'
import { expect, test } from 'vitest'
import { connectTerminal, type SocketEvents } from '../../src/terminal/connection.ts'

function setUp() {
  const sockets: { readonly after: number; readonly events: SocketEvents; readonly sent: string[] }[] = []
  const waits: { readonly ms: number; readonly callback: () => void }[] = []
  const seen: string[] = []
  const connection = connectTerminal(
    {
      open(after, events) {
        const sent: string[] = []
        sockets.push({ after, events, sent })
        return { send: (text) => void sent.push(text), close: () => events.close() }
      },
      after(ms, callback) {
        waits.push({ ms, callback })
        return () => {}
      },
    },
    {
      restart: () => void seen.push('restart'),
      output: (bytes) => void seen.push(new TextDecoder().decode(bytes)),
      size: ({ rows, columns }) => void seen.push(`${rows}x${columns}`),
      state: (state, message) => void seen.push([state, message ?? ''].join(' ').trim()),
    },
  )
  const frame = (of: TerminalFrame): string => JSON.stringify(of)
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  return { connection, sockets, waits, seen, frame, bytes }
}

test('goes on after the last byte, however often it is lost', () => {
  const { sockets, waits, seen, frame, bytes } = setUp()
  const [first] = sockets
  first?.events.open()
  first?.events.message(frame({ type: 'from', byte: 0 }))
  first?.events.message(bytes('grüße'))
  first?.events.close()
  waits[0]?.callback()
  sockets[1]?.events.close()
  waits[1]?.callback()
  sockets[2]?.events.open()
  sockets[2]?.events.message(frame({ type: 'from', byte: 7 }))
  sockets[2]?.events.message(bytes('!'))
  expect(sockets.map(({ after }) => after)).toEqual([0, 7, 7])
  expect(waits.map(({ ms }) => ms)).toEqual([500, 1000])
  expect(seen).toEqual(['connected', 'grüße', 'lost', 'lost', 'connected', '!'])
})

test('takes the size of a terminal that somebody else resizes', () => {
  const { sockets, seen, frame, bytes } = setUp()
  sockets[0]?.events.message(frame({ type: 'from', byte: 0 }))
  sockets[0]?.events.message(frame({ type: 'size', rows: 24, columns: 80 }))
  sockets[0]?.events.message(bytes('wide'))
  sockets[0]?.events.message(frame({ type: 'size', rows: 30, columns: 120 }))
  expect(seen).toEqual(['24x80', 'wide', '30x120'])
})

test('begins with an empty screen where the server has no more of what was missed', () => {
  const { sockets, waits, seen, frame, bytes } = setUp()
  sockets[0]?.events.message(frame({ type: 'from', byte: 0 }))
  sockets[0]?.events.message(bytes('old'))
  sockets[0]?.events.close()
  waits[0]?.callback()
  sockets[1]?.events.message(frame({ type: 'from', byte: 900 }))
  sockets[1]?.events.message(bytes('new'))
  expect(seen).toEqual(['old', 'lost', 'restart', 'new'])
})

test('a terminal that has ended is not connected again', () => {
  const { sockets, waits, seen, frame } = setUp()
  sockets[0]?.events.message(frame({ type: 'ended', message: 'The shell ended with 0.' }))
  sockets[0]?.events.close()
  expect([seen, waits]).toEqual([['ended The shell ended with 0.'], []])
})

test('a long paste is sent in messages that the server takes, whole and in order', () => {
  const { connection, sockets } = setUp()
  connection.type('lost, because nothing is open')
  sockets[0]?.events.open()
  const pasted = 'ä😀'.repeat(1000)
  connection.type(pasted)
  const texts = (sockets[0]?.sent ?? []).map((text) => {
    const message = terminalMessage.parse(JSON.parse(text))
    return message.type === 'keys' ? message.text : ''
  })
  expect(texts.join('')).toBe(pasted)
  for (const text of texts) {
    expect(text.length).toBeLessThanOrEqual(MOST_KEYS)
    expect(text.isWellFormed()).toBe(true)
  }
  // Each with its JSON is below the server's limit of 1,024 bytes.
  for (const text of sockets[0]?.sent ?? []) expect(new TextEncoder().encode(text).length).toBeLessThan(1024)
})

test('the size is sent again after a loss', () => {
  const { connection, sockets, waits } = setUp()
  connection.resize({ rows: 40, columns: 120 })
  sockets[0]?.events.open()
  sockets[0]?.events.close()
  waits[0]?.callback()
  sockets[1]?.events.open()
  expect(sockets.map(({ sent }) => sent)).toEqual([
    ['{"type":"size","rows":40,"columns":120}'],
    ['{"type":"size","rows":40,"columns":120}'],
  ])
})
