/** The whole page in a DOM without a browser, with a scripted server in place of the network. */
import type { StreamFrame } from '@expresslane/shared/wire/stream'
import { thisMachine } from '@expresslane/shared/testbed/id'
import { problem, type Problem } from '@expresslane/shared/base/errors'
import { act, cleanup, configure, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, onTestFinished, vi } from 'vitest'
import { createQueryClient } from '../../src/api/queries.ts'
import { createStore, type Store } from '../../src/api/store.ts'
import { createStream } from '../../src/api/stream.ts'
import { App } from '../../src/app.tsx'
import { fakeNetwork, hello, type FakeNetwork } from '../api/fake-network.ts'
import { plainStyle } from './plain-style.ts'
import { aLab, testbed } from '@expresslane/shared/test/builders'

/** A server's answer: a body, with 200 unless a status is given; or none, yet or at all. */
export type Answer = { readonly status?: number; readonly body: unknown } | 'pending' | 'unreachable'

/** Answers by method and path, without the query: `GET /api/runs`. */
type Answers = Readonly<Record<string, Answer | Promise<Answer>>>

const keep = { days: 365, bytes: 4e9, recentDays: 30, beginsAt: 0 }

/** A server with one lab on this machine and nothing else. */
const quiet: Answers = {
  'GET /api/me': { body: { id: 'owner', role: 'instructor', name: 'Instructor', workshop: false, mostSeconds: null } },
  'GET /api/labs': { body: { labs: [aLab()], problems: [], testbeds: ['netns'] } },
  'GET /api/testbeds/netns': { body: testbed() },
  'GET /api/sessions': { body: { sessions: [] } },
  'GET /api/runs': { body: { runs: [], next: null, sessions: [] } },
  'GET /api/profiles': { body: { profiles: [] } },
  'GET /api/recordings': { body: { recordings: [] } },
  'GET /api/site': { body: { computer: 'none' } },
  'GET /api/data': {
    body: {
      directory: '/data',
      bytes: 4096,
      freeBytes: 10 ** 10,
      runs: 0,
      since: null,
      keep,
      damaged: [],
      problem: null,
    },
  },
}

/** The frame that says that this machine runs a step of somebody else. */
export const heldByOthers: StreamFrame = {
  type: 'holders',
  holders: [{ testbed: thisMachine, holder: { runId: null, sessionId: null, stepId: 'baseline' } }],
}

export interface OpenPage {
  readonly network: FakeNetwork
  /** The page's requests so far, in order. */
  readonly asked: readonly string[]
  /** The queries of the requests of a path so far. */
  queries(path: string): string[]
  /** From now on the server answers this. */
  answer(route: string, answer: Answer): void
  /** Sends a frame on the stream. */
  send(frame: StreamFrame): void
  /** Lets something happen outside the page, and the page react to it. */
  happens(what: () => void): void
}

/** A refusal as the server sends it. */
export function refusal(status: number, over: Partial<Problem> = {}): Answer {
  const error = {
    code: 'internal',
    message: 'It broke.',
    remedy: 'Mend it.',
    remedyCommand: null,
    detail: null,
    ...over,
  }
  return { status, body: { error: problem.parse(error) } }
}

interface Options {
  /** Whether the stream is live. */
  connected?: boolean
  /** The content of the page. @defaultValue the application */
  show?: (store: Store) => ReactNode
}

/** Opens the page at an address. */
export function openPage(address: string, answers: Answers = {}, { connected = true, show }: Options = {}): OpenPage {
  const served = new Map(Object.entries({ ...quiet, ...answers }))
  const asked: string[] = []
  const queried: [path: string, query: string][] = []
  const unknown: string[] = []
  async function respond(input: string, { method = 'GET' }: RequestInit = {}): Promise<Response> {
    const { pathname, search } = new URL(input, 'http://localhost')
    const route = `${method} ${pathname}`
    queried.push([pathname, search.slice(1)])
    asked.push(route)
    const answer = await served.get(route)
    if (answer === undefined) unknown.push(route)
    if (answer === 'pending') return await new Promise<Response>(() => {})
    if (answer === undefined || answer === 'unreachable') throw new TypeError('fetch failed')
    return Response.json(answer.body, { status: answer.status ?? 200 })
  }
  vi.stubGlobal('fetch', respond)
  vi.stubGlobal('getComputedStyle', plainStyle(getComputedStyle))
  // Pages are loaded when they are opened, charts included.
  configure({ asyncUtilTimeout: 10_000, getElementError: (message) => new Error(message ?? 'not found') })
  window.history.replaceState(null, '', address)

  const network = fakeNetwork()
  const store = createStore({
    now: () => performance.now(),
    date: () => Date.now(),
    schedule(callback, ms) {
      const timer = setTimeout(() => act(callback), ms)
      return () => clearTimeout(timer)
    },
    rewind: (seq) => stream.rewind(seq),
  })
  const stream = createStream(network, store)
  stream.start()
  if (connected) network.line().send(hello(0))
  const queries = createQueryClient()
  render(show?.(store) ?? <App store={store} queries={queries} />)
  onTestFinished(() => {
    cleanup()
    queries.clear()
    vi.unstubAllGlobals()
    expect(unknown, 'asked for, and no answer was given').toEqual([])
  })
  return {
    network,
    asked,
    queries: (path) => queried.flatMap(([of, query]) => (of === path ? [query] : [])),
    answer: (route, answer) => void served.set(route, answer),
    send: (frame) => act(() => network.line().send(frame)),
    happens: (what) => act(what),
  }
}
