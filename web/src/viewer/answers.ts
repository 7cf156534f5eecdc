/** Answers the page's requests from the open recordings, as the server does from its own. */
import { LabError } from '@expresslane/shared/base/errors'
import { i18n } from '@expresslane/shared/base/language'
import type { RunId } from '@expresslane/shared/labs/lab'
import { RESET_STEP } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import { knownCapabilities } from '@expresslane/shared/features/capabilities'
import { thisTab } from '@expresslane/shared/testbed/id'
import {
  readOutput,
  runStep,
  type LabsResponse,
  type RunAccepted,
  type SessionView,
  type TestbedView,
} from '@expresslane/shared/wire/protocol'
import type { Output } from '@expresslane/shared/wire/route'
import type { Me } from '@expresslane/shared/wire/room'
import type { TabQuestions } from '@expresslane/shared/wire/tab'
import type { Answer } from '../api/request.ts'
import type { Computer, ComputerSource } from './computer.ts'
import type { Player } from './player.ts'
import type { Subject } from './reports.ts'
import { READER, type RunSource } from './source.ts'

/** The recordings, the computer and the labs of this tab. */
export interface Contents {
  players(): readonly Player[]
  reports(): readonly RunSource[]
  /** Null if none runs. */
  computer(): Computer | null
  labs(language: string | null): Promise<Omit<LabsResponse, 'testbeds'>>
  /** Expresslane's version. */
  readonly version: string
  /** A run as the page shows it now; null for a run that it does not show. */
  shown(run: RunId): RunState | null
}

const me: Me = {
  id: READER,
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

function sessionViewOf(player: Player, shown: Contents['shown']): SessionView {
  const runs = player.runs.flatMap((id) => shown(id) ?? [])
  return { session: player.sessionOf(), runs, incarnation: player.opened.incarnation, seq: 0 }
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

function running({ computer }: Contents): Computer {
  const found = computer()
  if (found === null) throw missing()
  return found
}

/** The computer, if the session is the computer's. */
function computerOf({ computer }: Contents, session: string): Computer | null {
  const present = computer()
  return present?.sources().some(({ name }) => name === session) === true ? present : null
}

function withRun({ players, reports, computer }: Contents, id: string): { source: RunSource; run: RunId } {
  for (const source of [...players(), ...reports(), ...(computer()?.sources() ?? [])]) {
    const run = source.runs.find((one) => one === id)
    if (run !== undefined) return { source, run }
  }
  throw missing()
}

async function wholeRun(contents: Contents, id: string): Promise<RunState> {
  const { source, run } = withRun(contents, id)
  const state = contents.shown(run) ?? (await source.whole(run))
  if (state === null) throw missing()
  return state
}

async function outputOf(
  contents: Contents,
  { query }: Asked,
  id: string,
): Promise<Output<typeof readOutput, 'response'>> {
  const { source, run } = withRun(contents, id)
  const { before = Number.MAX_SAFE_INTEGER, limit } = readOutput.query.parse(Object.fromEntries(query))
  const lines = (await source.lines(run)).filter(({ seq }) => seq < before)
  const page = lines.slice(-limit).map(({ seq, kind, where, text }) => ({ seq, kind, where, text }))
  return { lines: page, earlier: lines.length - page.length }
}

async function report(contents: Contents, { query }: Asked, about: Subject['about'], runs: Subject['runs']) {
  const sessions = Map.groupBy(
    runs.map(({ source, run }) => source.sessionOf(run)),
    ({ id }) => id,
  )
  const { reportFile } = await import('./reports.ts')
  const { labs } = await contents.labs(null)
  const each = [...sessions.values()].flatMap(([first]) => first ?? [])
  const subject = { about, runs, sessions: each, labs, madeBy: contents.version, now: Date.now() }
  return reportFile(subject, query.get('format'))
}

/** A recording of the computer's runs. @param only the run; null for all runs of the session */
async function recording(contents: Contents, is: (source: ComputerSource) => boolean, only: string | null) {
  const source = contents.computer()?.sources().find(is)
  if (source === undefined) throw missing()
  const { recordingFile } = await import('./record.ts')
  const runs = source.runs.filter((run) => only === null || run === only)
  return recordingFile(source.title, source.lab, runs.map(source.events))
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
  'GET testbeds :id terminals': (contents) => running(contents).ask('terminals', null),
  'POST testbeds :id terminals': (contents, { body }) =>
    running(contents).ask('openTerminal', body as TabQuestions['openTerminal']['asked']),
  'DELETE terminals :id': (contents, _, id) => running(contents).ask('closeTerminal', { id }),
  'GET sessions': () => ({ sessions: [] }),
  'GET sessions :id': (contents, _, session) =>
    computerOf(contents, session)?.ask('session', { session }) ??
    sessionViewOf(withSession(contents, session), contents.shown),
  'GET sessions :id report'(contents, asked, id) {
    const own = contents.computer()?.sources() ?? []
    const source = own.find(({ name }) => name === id) ?? withSession(contents, id)
    const runs = source.runs.map((run) => ({ source, run, name: null }))
    return report(contents, asked, 'session', runs)
  },
  'GET sessions :id recording'(contents, _, id) {
    return recording(contents, ({ name }) => name === id, null)
  },
  'POST sessions :id steps :more run'(contents, { body }, session, stepId) {
    const { params, solve } = runStep.body.parse(body)
    const live = computerOf(contents, session)
    if (live !== null) return live.ask('run', { session, stepId, params, solve })
    return playStep(withSession(contents, session), stepId, params.speed ?? 1, solve)
  },
  'POST sessions :id reset'(contents, _, id) {
    const live = computerOf(contents, id)
    if (live !== null) return live.ask('reset', { session: id })
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
  'GET runs :id recording'(contents, _, id) {
    return recording(contents, ({ runs }) => runs.some((run) => run === id), id)
  },
  async 'POST runs :id cancel'(contents, _, id) {
    const live = contents.computer()
    if (live?.sources().some(({ runs }) => runs.some((run) => run === id)) === true)
      return live.ask('cancel', { run: id })
    const player = contents.players().find(({ runs }) => runs.some((run) => run === id))
    const timed = player?.opened.runs.find((one) => one.id === id)
    if (player === undefined || timed === undefined) throw missing()
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
