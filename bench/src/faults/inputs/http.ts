/** Requests that no client library writes: odd headers, broken lines, and bytes that are no HTTP at all. */
import type { Random } from '@expresslane/shared/compare/stats/random'
import type { BenchApp } from '../../support/app.ts'
import type { Kind } from './kind.ts'
import { mutateBytes, mutateText, pick, whole } from './mutate.ts'
import { exchange } from './raw.ts'

const names = [
  'host',
  'origin',
  'cookie',
  'authorization',
  'accept',
  'accept-encoding',
  'content-type',
  'content-length',
  'transfer-encoding',
  'expect',
  'range',
  'if-none-match',
  'if-modified-since',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'forwarded',
  'sec-fetch-site',
  'upgrade',
  'connection',
  'te',
  'x-http-method-override',
]
const values = [
  '',
  'localhost',
  'null',
  'chunked',
  'gzip, chunked',
  '100-continue',
  'bytes=0-18446744073709551615',
  'bytes=-1,0-0,5-2',
  'text/html',
  'text/html;q=nan',
  'application/json; charset=utf-16',
  'multipart/form-data; boundary=',
  'expresslane=; expresslane=x',
  '__proto__=1; a=%E0%A4%A',
  '127.0.0.1, ::1, x',
  '-1',
  '18446744073709551616',
  'websocket',
  'h2c',
  'cross-site',
  'Thu, 99 Foo 2026 99:99:99 GMT',
  'W/"x"',
]
const paths = [
  '/',
  '/labs/big-tcp-ipv4',
  '/api/labs',
  '/api/me',
  '/api/sessions',
  '/open?token=x',
  '/j/AAAA',
  '/f/AAAA',
  '/follow',
  '/join',
  '/assets/x.js',
  '/healthz',
  '/..%2f..%2fetc/passwd',
  '/%00',
  '/%ff',
  '//x/y',
  '*',
  'http://elsewhere/api/labs',
]

interface Place {
  readonly port: number
  readonly lines: readonly string[]
}

function placeOf({ link }: BenchApp): Place {
  const { host, port, searchParams } = new URL(link)
  return { port: Number(port), lines: [`Host: ${host}`, `Authorization: Bearer ${searchParams.get('token')}`] }
}

function lineFor(random: Random): string {
  const name = random() < 0.1 ? mutateText(random, pick(random, names)) : pick(random, names)
  const value = random() < 0.4 ? mutateText(random, pick(random, values)) : pick(random, values)
  return `${name}: ${value}`.replaceAll(/[\r\n]/g, random() < 0.1 ? '\n' : ' ')
}

function requestFor(random: Random, given: readonly string[]): string {
  const path = random() < 0.4 ? mutateText(random, pick(random, paths)).replaceAll(/\s/g, '%20') : pick(random, paths)
  const method = pick(random, ['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])
  const body =
    method === 'POST' || method === 'PUT' ? pick(random, ['{}', '', '{"a":', '[1]', '5\r\nhello\r\n0\r\n\r\n']) : ''
  const lines = [
    ...given.filter(() => random() < 0.9),
    ...Array.from({ length: 1 + whole(random, 4) }, () => lineFor(random)),
  ]
  const length = body === '' || random() < 0.2 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  return [`${method} ${path} HTTP/1.1`, ...lines, ...length, 'Connection: close', '', body].join('\r\n')
}

export const headerInputs: Kind = {
  name: 'headers',
  share: 10,
  atOnce: 8,
  async open(app, random) {
    const { port, lines } = placeOf(app)
    return async () => [await exchange(port, Buffer.from(requestFor(random, lines), 'latin1'))]
  },
}

export const byteInputs: Kind = {
  name: 'bytes in the place of HTTP',
  share: 4,
  atOnce: 8,
  async open(app, random) {
    const { port, lines } = placeOf(app)
    return async () => [await exchange(port, mutateBytes(random, Buffer.from(requestFor(random, lines), 'latin1')))]
  },
}

/** An upgrade to a WebSocket, and frames that a client of this server never sends. */
function upgradeFor(random: Random, given: readonly string[]): Buffer {
  const after = random() < 0.5 ? `?after=${pick(random, ['0', '-1', '1e9', 'x', '9'.repeat(50), '%00'])}` : ''
  const key = random() < 0.8 ? 'dGhlIHNhbXBsZSBub25jZQ==' : mutateText(random, 'dGhlIHNhbXBsZQ==').replaceAll(/\s/g, '')
  const head = [
    `GET ${pick(random, ['/api/stream', '/api/stream', '/api/labs', '/nowhere'])}${after} HTTP/1.1`,
    ...given.filter(() => random() < 0.9),
    'Connection: Upgrade',
    `Upgrade: ${random() < 0.9 ? 'websocket' : pick(random, values)}`,
    `Sec-WebSocket-Version: ${random() < 0.9 ? '13' : pick(random, ['8', '0', 'x', '13, 13'])}`,
    `Sec-WebSocket-Key: ${key}`,
    ...(random() < 0.3
      ? [`Sec-WebSocket-Extensions: ${mutateText(random, 'permessage-deflate').replaceAll(/\s/g, ' ')}`]
      : []),
    ...(random() < 0.2 ? [lineFor(random)] : []),
    '',
    '',
  ].join('\r\n')
  const frames = Array.from({ length: whole(random, 4) }, () => frameFor(random))
  return Buffer.concat([Buffer.from(head, 'latin1'), ...frames])
}

/** A frame after RFC 6455, 5.2, with any opcode, length and mask. */
function frameFor(random: Random): Buffer {
  const length = pick(random, [0, 1, 125, 126, 1024, 1025, 65_535])
  const first = (random() < 0.8 ? 0x80 : 0) | (random() < 0.1 ? 0x70 : 0) | pick(random, [0, 1, 2, 3, 8, 9, 10, 15])
  const mask = random() < 0.8 ? 0x80 : 0
  const size = length < 126 ? [mask | length] : [mask | 126, length >> 8, length & 0xff]
  const claimed = random() < 0.1 ? [mask | 127, ...Array.from({ length: 8 }, () => whole(random, 256))] : size
  const rest = Array.from({ length: Math.min(length, 2_000) + (mask === 0 ? 0 : 4) }, () => whole(random, 256))
  return Buffer.from([first, ...claimed, ...rest])
}

export const streamInputs: Kind = {
  name: 'upgrades and frames',
  share: 6,
  atOnce: 8,
  async open(app, random) {
    const { port, lines } = placeOf(app)
    return async () => [await exchange(port, upgradeFor(random, lines))]
  },
}
