/** A round of people's use of a server: a lab, its pages and files, an import, and connections that break. */
import { setTimeout as delay } from 'node:timers/promises'
import { recordingView } from '@expresslane/shared/recordings/recording'
import { runAccepted } from '@expresslane/shared/wire/protocol'
import type { BenchApp } from '../../support/app.ts'
import { openEvents } from '../../support/events.ts'

const labs = ['big-tcp-ipv4', 'big-tcp-ipv6'] as const
const params = { repeats: 1, seconds: 1 }
/** How long one round takes: most of it is rest, so that the processors are free for other work. */
const ROUND_MS = 20_000

/** Reads an answer of any kind. @throws Error for a server's fault */
async function read({ link }: BenchApp, path: string): Promise<string> {
  const url = new URL(link)
  const headers = { authorization: `Bearer ${url.searchParams.get('token')}`, connection: 'close' }
  const answer = await fetch(new URL(path, url), { headers })
  const text = await answer.text()
  if (answer.status >= 500) throw new Error(`${path}: ${answer.status} ${text}`)
  return text
}

/** @param round counts from 0; every other one takes the other lab */
export async function useOnce(app: BenchApp, round: number): Promise<void> {
  const rested = delay(ROUND_MS)
  const session = await app.session(labs[round % labs.length] ?? labs[0])
  const stream = await openEvents(app.link)
  const asked = await app.ask('POST', `/api/sessions/${session}/steps/restore/run`, { params, solve: true })
  // A page that is closed while the lab runs, without a word.
  const other = await openEvents(app.link)
  await stream.untilEnded([runAccepted.parse(asked).runId])
  other.close()
  const walked = (await app.runs(session)).map(({ id }) => id)
  await stream.untilEnded(walked)
  const wrong = ['/api/sessions/no', '/api/runs?limit=-1', '/api/nowhere', '/api/compare/report?a=1&b=2']
  const pages = ['/api/labs', '/api/testbeds', '/api/sessions', `/api/sessions/${session}`, '/api/runs', ...wrong]
  const runs = walked.flatMap((id) => [`/api/runs/${id}`, `/api/runs/${id}/report?format=csv`])
  const reports = ['html', 'csv', 'json', 'md'].map((format) => `/api/sessions/${session}/report?format=${format}`)
  for (const path of [...pages, ...runs, ...reports]) await read(app, path)
  const recording = await read(app, `/api/sessions/${session}/recording`)
  const { id } = recordingView.parse(await app.ask('POST', '/api/recordings', recording))
  await read(app, `/api/recordings/${id}`)
  await app.ask('DELETE', `/api/recordings/${id}`)
  stream.close()
  await rested
}
