/** Answers the page's requests from the open recordings, as the server does from its own. */
import { LabError } from '@expresslane/shared/base/errors'
import { i18n } from '@expresslane/shared/base/language'
import type { RunId } from '@expresslane/shared/labs/lab'
import { RESET_STEP } from '@expresslane/shared/run/events'
import { lineOf } from '@expresslane/shared/run/fold'
import type { RunState } from '@expresslane/shared/run/run-state'
import { knownCapabilities } from '@expresslane/shared/features/capabilities'
import { thisTab } from '@expresslane/shared/testbed/id'
import {
  readOutput,
  runStep,
  type LabsResponse,
  type RunAccepted,
  type Session,
  type SessionView,
  type TestbedView,
} from '@expresslane/shared/wire/protocol'
import type { Output } from '@expresslane/shared/wire/route'
import type { Me } from '@expresslane/shared/wire/room'
import type { Answer } from '../api/request.ts'
import type { Computer } from './computer.ts'
import type { Player } from './player.ts'
import type { RunSource, Subject } from './reports.ts'

/** The recordings, the computer and the labs of this tab. */
export interface Contents {
  players(): readonly Player[]
  /** Null if none was started. */
  computer(): Computer | null
  labs(language: string | null): Promise<Omit<LabsResponse, 'testbeds'>>
  /** Expresslane's version. */
  readonly version: string
  /** A run as the page shows it now; null for a run that it does not show. */
  shown(run: RunId): RunState | null
}

const me: Me = {
  id: 'reader',
  // Like somebody in a workshop who may play recordings and change nothing else.
  role: 'participant',
  name: '',
  workshop: false,
  mostSeconds: null,
  records: false,
}

function missing(): LabError {
  return new LabError(
    'not_found',
    i18n.t('This page is of a recording that is not open, or of a computer that ended with its tab.'),
    i18n.t('Go to the start page: open the recording there, or begin the lab again.'),
  )
}

function sessionOf({ opened }: Player): Session {
  const { sessionId, testbed, view } = opened
  return { id: sessionId, labId: view.lab, testbed, owner: me.id, createdAt: view.recordedAt }
}

function sessionViewOf(player: Player, shown: Contents['shown']): SessionView {
  const runs = player.opened.runs.flatMap(({ id }) => shown(id) ?? [])
  return { session: sessionOf(player), runs, incarnation: player.opened.incarnation, seq: 0 }
}

function testbedViewOf({ opened: { testbed, view, facts, checks } }: Player): TestbedView {
  return {
    id: testbed,
    kind: 'recording',
    capabilities: [...knownCapabilities()],
    lacks: [],
    choices: {},
    labs: [view.lab],
    placements: [],
    contexts: [],
    context: view.id,
    facts,
    preflight: [...checks],
    datapath: null,
    problem: null,
    busy: null,
    toRestore: null,
  }
}

/** Goes to the start of the step's latest run, and plays from there; `solve` plays the steps before it, too. */
async function playStep(player: Player, stepId: string, speed: number, solve: boolean): Promise<RunAccepted> {
  const run = player.opened.runs.findLast((one) => one.stepId === stepId)
  if (run === undefined) {
    throw new LabError(
      'step_not_ready',
      i18n.t('This step was not recorded.'),
      i18n.t('Continue with a recorded step, or run this step on a live testbed.'),
    )
  }
  if (!solve) await player.seek(run.from - 1)
  player.play(speed)
  return { runId: run.id, stepId, queue: null }
}

async function goBack(player: Player, to: number, { id: runId, stepId }: Pick<RunState, 'id' | 'stepId'>) {
  player.pause()
  await player.seek(to)
  return { runId, stepId, queue: null } satisfies RunAccepted
}

interface Asked {
  readonly query: URLSearchParams
  readonly body: unknown
}

type Handler = (contents: Contents, asked: Asked, id: string, more: string) => unknown

function withSession({ players }: Contents, id: string): Player {
  const found = players().find(({ opened }) => opened.sessionId === id)
  if (found === undefined) throw missing()
  return found
}

/** The runs of a session, and the session that a report names. */
interface Found {
  readonly of: RunSource
  readonly session: Session
}

function foundIn(player: Player): Found {
  const { whole, reader, opened } = player
  const runs = opened.runs.map(({ id }) => id)
  return { of: { runs, whole, events: (run) => reader.ask('events', { run }) }, session: sessionOf(player) }
}

function foundOn(computer: Computer, session: Session): Found {
  const runs = computer.runsOf(session.id)
  const [whole, events] = [computer.whole, computer.events]
  return { of: { runs, whole: async (run) => whole(run), events: async (run) => events(run) }, session }
}

/** A session of the computer; null for another session. */
function onComputer({ computer }: Contents, id: string): { computer: Computer; session: Session } | null {
  const present = computer()
  const session = present?.session(id) ?? null
  return present === null || session === null ? null : { computer: present, session }
}

function withRun({ players, computer }: Contents, id: string): Found & { readonly run: RunId } {
  const present = computer()
  const session = present?.sessionOf(id) ?? null
  const found =
    present !== null && session !== null
      ? foundOn(present, session)
      : players()
          .map(foundIn)
          .find(({ of }) => of.runs.some((run) => run === id))
  const run = found?.of.runs.find((one) => one === id)
  if (found === undefined || run === undefined) throw missing()
  return { ...found, run }
}

async function wholeRun(contents: Contents, id: string): Promise<RunState> {
  const { of, run } = withRun(contents, id)
  const state = contents.shown(run) ?? (await of.whole(run))
  if (state === null) throw missing()
  return state
}

async function outputOf(
  contents: Contents,
  { query }: Asked,
  id: string,
): Promise<Output<typeof readOutput, 'response'>> {
  const { of, run } = withRun(contents, id)
  const { before = Number.MAX_SAFE_INTEGER, limit } = readOutput.query.parse(Object.fromEntries(query))
  const events = await of.events(run)
  const lines = events.filter(({ seq }) => seq < before).flatMap((event) => lineOf(event) ?? [])
  return { lines: lines.slice(-limit), earlier: Math.max(0, lines.length - limit) }
}

async function report(
  contents: Contents,
  { query }: Asked,
  about: Subject['about'],
  runs: readonly (Subject['runs'][number] & Found)[],
) {
  const { reportFile } = await import('./reports.ts')
  const { labs } = await contents.labs(null)
  const sessions = [...new Map(runs.map(({ session }) => [session.id, session])).values()]
  const subject = { about, runs, sessions, labs, madeBy: contents.version, now: Date.now() }
  return reportFile(subject, query.get('format'))
}

/** By method and path; `:id` is the second part of the path, `:more` the fourth. */
const handlers: Readonly<Record<string, Handler>> = {
  'GET me': () => me,
  async 'GET labs'(contents, { query }) {
    const known = await contents.labs(query.get('language'))
    const recorded = contents.players().map(({ opened }) => opened.testbed)
    return {
      ...known,
      testbeds: [...recorded, ...(contents.computer() === null ? [] : [thisTab])],
    } satisfies LabsResponse
  },
  'GET recordings': ({ players }) => ({ recordings: players().map(({ opened }) => opened.view) }),
  'GET testbeds :id'({ players, computer }, { query }, id) {
    const present = computer()
    if (id === thisTab && present !== null) return present.ask('testbed', { fresh: query.get('fresh') === 'true' })
    const found = players().find(({ opened }) => opened.testbed === id)
    if (found === undefined) throw missing()
    return testbedViewOf(found)
  },
  'GET sessions': () => ({ sessions: [] }),
  'GET sessions :id'(contents, _, id) {
    const live = onComputer(contents, id)
    if (live !== null) return live.computer.ask('session', { session: live.session.id })
    return sessionViewOf(withSession(contents, id), contents.shown)
  },
  'GET sessions :id report'(contents, asked, id) {
    const live = onComputer(contents, id)
    const found = live === null ? foundIn(withSession(contents, id)) : foundOn(live.computer, live.session)
    const runs = found.of.runs.map((run) => ({ ...found, run, name: null }))
    return report(contents, asked, 'session', runs)
  },
  'POST sessions :id steps :more run'(contents, { body }, id, stepId) {
    const { params, solve } = runStep.body.parse(body)
    const live = onComputer(contents, id)
    if (live !== null) return live.computer.ask('run', { session: live.session.id, stepId, params, solve })
    return playStep(withSession(contents, id), stepId, params.speed ?? 1, solve)
  },
  'POST sessions :id reset'(contents, _, id) {
    const live = onComputer(contents, id)
    if (live !== null) return live.computer.ask('reset', { session: live.session.id })
    const player = withSession(contents, id)
    const [first] = player.opened.runs
    if (first === undefined) throw missing()
    return goBack(player, 0, { ...first, stepId: RESET_STEP })
  },
  'GET runs': () => ({ runs: [], next: null, sessions: [] }),
  'GET runs :id': async (contents, _, id) => ({ run: await wholeRun(contents, id) }),
  'GET runs :id output': outputOf,
  'GET runs :id opinion': () => ({ runId: null }),
  'GET runs :id report'(contents, asked, id) {
    return report(contents, asked, 'run', [{ ...withRun(contents, id), name: null }])
  },
  async 'POST runs :id cancel'(contents, _, id) {
    const { run, session } = withRun(contents, id)
    const live = onComputer(contents, session.id)
    if (live !== null) return live.computer.ask('cancel', { run })
    const player = withSession(contents, session.id)
    const timed = player.opened.runs.find((one) => one.id === run)
    if (timed === undefined) throw missing()
    return goBack(player, timed.from - 1, timed)
  },
  async 'GET compare report'(contents, asked) {
    const { parseSideName } = await import('@expresslane/shared/run/sides')
    const names = ['a', 'b'].flatMap((side) => parseSideName(asked.query.get(side)) ?? [])
    if (names.length < 2) throw missing()
    return report(
      contents,
      asked,
      'comparison',
      names.map((name) => ({ ...withRun(contents, name.run), name })),
    )
  },
}

/** `GET /api/runs/r_1/output` is `GET runs :id output`. */
function handlerOf(method: string, parts: readonly string[]): Handler | undefined {
  const fixed = parts[0] === 'compare' ? parts : parts.map((part, at) => [part, ':id', part, ':more'][at] ?? part)
  return handlers[[method, ...fixed].join(' ')]
}

/** @returns answers requests, as the server does; for any other request there is nothing here */
export function answersFrom(contents: Contents): Answer {
  return async (method, address, body = {}) => {
    const { pathname, searchParams: query } = new URL(address, 'http://tab')
    const parts = pathname.split('/').slice(2).map(decodeURIComponent)
    const handler = handlerOf(method, parts)
    if (handler === undefined) throw missing()
    return handler(contents, { query, body }, parts[1] ?? '', parts[3] ?? '')
  }
}
