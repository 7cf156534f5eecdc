/** Hard files: the server answers other clients while it reads them, and a valid file is stored and played. */
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { errorBody } from '@expresslane/shared/base/errors'
import { recordingView } from '@expresslane/shared/recordings/recording'
import { openApp, type BenchApp } from '../../support/app.ts'
import type { Figure } from '../figure.ts'
import { hardFiles, STEP, type HardFile } from './files.ts'
import { quantile, watchHealth } from './health.ts'

const SIZE = 16 * 1024 * 1024
const SHORT_SIZE = 4 * 1024 * 1024
const P99_MS = 50
/** The short form runs beside a cluster, with which the server also shares caches, memory and disk. */
const SHORT_P99_MS = 250

interface Import {
  readonly what: string
  readonly seconds: number
  readonly waits: readonly number[]
}

interface Answer {
  readonly status: number
  readonly text: string
}

/** Calls the API without reading the answer. */
async function call({ link }: BenchApp, method: string, path: string, body?: Buffer): Promise<Answer> {
  const url = new URL(link)
  const headers = { authorization: `Bearer ${url.searchParams.get('token')}`, 'content-type': 'application/json' }
  const asked = request(new URL(path, url), { method, headers })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve).on('error', reject)
  })
  asked.end(body)
  const answer = await answered
  return { status: answer.statusCode ?? 0, text: await text(answer) }
}

/** @returns the recording's id; null if the file was refused, as it should be */
async function send(app: BenchApp, { what, bytes, valid }: HardFile): Promise<string | null> {
  const { status, text: said } = await call(app, 'POST', '/api/recordings', bytes)
  if (valid && status === 201) return recordingView.parse(JSON.parse(said)).id
  if (!valid && status === 400 && errorBody.parse(JSON.parse(said)).error.code === 'recording_invalid') return null
  throw new Error(`${what}: ${status} ${said.slice(0, 300)}`)
}

export const imports: Figure = {
  name: 'imports',
  async run({ short }) {
    const most = short ? SHORT_P99_MS : P99_MS
    const files = hardFiles(short ? SHORT_SIZE : SIZE)
    const app = await openApp()
    const health = await watchHealth(app)
    try {
      const done: Import[] = []
      const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
        health.take()
        const begun = performance.now()
        const result = await work()
        const one = { what, seconds: (performance.now() - begun) / 1000, waits: health.take() }
        const [p99, worst] = [quantile(one.waits, 0.99), Math.max(0, ...one.waits)]
        console.error(`${what}: ${one.seconds.toFixed(1)} s, p99 ${p99.toFixed(0)} ms, longest ${worst.toFixed(0)} ms`)
        done.push(one)
        return result
      }
      let id: string | null = null
      for (const file of files) id = (await timed(file.what, () => send(app, file))) ?? id
      const session = await app.session('big-tcp-ipv4', `recording:${id ?? ''}`)
      const run = await timed('playing it', () => app.run(session, STEP, { params: { speed: 20 } }))
      for (const path of [
        `/api/sessions/${session}`,
        `/api/runs/${run.id}`,
        `/api/recordings/${id}`,
        '/api/recordings',
      ]) {
        await timed(`GET ${path.replaceAll(/_[0-9a-z]+|-[0-9a-f]{16}/g, '')}`, () => call(app, 'GET', path))
      }
      const played = run.repeats[0]?.samples.length ?? 0
      const p99 = Math.max(...done.map(({ waits }) => quantile(waits, 0.99)))
      const longest = done.toSorted((a, b) => b.seconds - a.seconds)[0]
      return {
        what: 'imports that are hard to read',
        bound: `p99 of \`/healthz\` <= ${most} ms during each; all refused but the valid one`,
        measured: `highest p99 ${p99.toFixed(0)} ms; the longest took ${longest?.seconds.toFixed(1)} s (${longest?.what}); ${played} samples played`,
        how: `${files.length} files of ${(short ? SHORT_SIZE : SIZE) / 1024 / 1024} MB, one after the other, and the valid one played`,
        holds: p99 <= most && played > 0,
      }
    } finally {
      await health.stop()
      await app.close()
    }
  },
}
