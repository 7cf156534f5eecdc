/** A participant who takes the measuring lane with the longest runs that are allowed, in several sessions at once. */
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { StepParams } from '@expresslane/shared/labs/lab'
import type { ErrorCode } from '@expresslane/shared/base/errors'
import { runAccepted } from '@expresslane/shared/wire/protocol'
import type { Figure } from '../figure.ts'
import { attackFigure } from './attack-figure.ts'
import { beginSession } from './recorded-session.ts'
import { askAs, refusalOf, type Room } from './room.ts'
import { post, type Message } from './task.ts'

interface Shape {
  readonly arms: number
  readonly cases: number
  readonly repeats: number
  readonly warmups: number
  /** The seconds of each repeat. */
  readonly seconds: number
}

/** The most of each that a plan can have. */
const HUGE: Shape = { arms: 8, cases: 16, repeats: 50, warmups: 5, seconds: 120 }
const LEAST: Shape = { arms: 1, cases: 1, repeats: 1, warmups: 0, seconds: 1 }

function planOf({ arms, cases, repeats, warmups, seconds }: Shape): ExperimentPlan {
  return {
    arms: Array.from({ length: arms }, (_, index) => ({
      id: `a${index}`,
      label: `Arm ${index}`,
      settings: { 'big-tcp-ipv4': index % 2 === 1 },
    })),
    cases: Array.from({ length: cases }, (_, index) => ({
      id: `c${index}`,
      label: `Case ${index}`,
      family: 'ipv4',
      benchmark: { tool: 'tcp-rr', requestBytes: 1000 * (index + 1), responseBytes: 1000 },
    })),
    design: { order: 'sequential', repeats, warmups, seconds, budget: null },
  }
}

/** Repeats and seconds to try, the longest first. */
const lengths = [20, 10, 5, 3, 2, 1].flatMap((repeats) =>
  [120, 100, 60, 50, 40, 30, 20, 10].map((seconds) => ({ repeats, seconds })),
)
const longestFirst = lengths.toSorted((a, b) => b.repeats * b.seconds - a.repeats * a.seconds)

interface Measuring {
  readonly labId: string
  /** A step that measures, and the request for a run of it. */
  readonly stepId: string
  paramsFor(repeats: number, seconds: number): StepParams
}

const measuring: readonly Measuring[] = [
  ...['big-tcp-ipv4', 'big-tcp-ipv6'].map((labId) => ({
    labId,
    stepId: 'baseline',
    paramsFor: (repeats: number, seconds: number) => ({ repeats, seconds }),
  })),
  {
    labId: 'bench',
    stepId: 'run',
    paramsFor: (repeats, seconds) => ({ plan: planOf({ ...LEAST, repeats, seconds }) }),
  },
]

function runOf(session: string, stepId: string, params: StepParams): Message {
  return post(`/api/sessions/${session}/steps/${stepId}/run`, { params })
}

/** The longest run of a step that the server accepts, which has begun then. */
async function longestRun({ app, attacker }: Room, session: string, one: Measuring): Promise<Message> {
  for (const { repeats, seconds } of longestFirst) {
    const asked = runOf(session, one.stepId, one.paramsFor(repeats, seconds))
    if ((await askAs(app, attacker.key, asked)).status !== 202) continue
    console.error(`${one.labId}: ${repeats} × ${seconds} s is accepted`)
    return asked
  }
  throw new Error(`no run of ${one.labId} is accepted`)
}

/** Asks for the longest plan that can be written. @returns the code with which it is refused; null if it is not */
async function refusalOfHuge({ app, attacker }: Room, session: string): Promise<ErrorCode | null> {
  const answer = await askAs(app, attacker.key, runOf(session, 'run', { plan: planOf(HUGE) }))
  if (answer.status !== 202) return refusalOf(answer)
  const { runId } = runAccepted.parse(JSON.parse(answer.text))
  await askAs(app, attacker.key, post(`/api/runs/${runId}/cancel`))
  await attacker.ended(runId)
  return null
}

export const laneHoarder: Figure = attackFigure({
  name: 'lane-hoarder',
  what: `A participant starts the longest runs that are allowed, again and again in ${measuring.length} sessions`,
  role: 'participant',
  requests: { short: 30, long: 1000 },
  async prepare(room) {
    const { app, attacker } = room
    const sessions = []
    for (const one of measuring) sessions.push({ ...one, session: await beginSession(app, attacker, one.labId) })
    const [first, bench] = [sessions[0], sessions.at(-1)]
    if (first === undefined || bench === undefined) throw new Error('nothing measures')
    await attacker.run(first.session, 'deploy', {})
    const refused = await refusalOfHuge(room, bench.session)
    const messages = []
    for (const one of sessions) messages.push(await longestRun(room, one.session, one))
    const huge = `a plan of ${HUGE.arms} × ${HUGE.cases} × ${HUGE.repeats + HUGE.warmups} × ${HUGE.seconds} s`
    return {
      messages,
      connections: 1,
      each: 1,
      everyMs: 100,
      after: async () =>
        refused === null
          ? { faults: [`${huge} was accepted`], notes: [] }
          : { faults: [], notes: [`${huge} is refused with \`${refused}\``] },
    }
  },
})
