/** The session and step that a presenter shows a room. The presenter, the speaker's window and followers share them. */
import { z } from 'zod'
import { sessionId } from '../run/events.ts'
import { testbedId } from '../testbed/id.ts'
import { epochMs } from '../base/units.ts'
import type { Route } from './route.ts'

/** An answer to a step's question, before the result is shown. */
export const pollAnswer = z.enum(['faster', 'slower', 'no-difference'])
export type PollAnswer = z.infer<typeof pollAnswer>

export const poll = z.strictObject({
  stepId: z.string(),
  question: z.string(),
  /** False once the step has a comparison: later answers would not be guesses. */
  open: z.boolean(),
  /** How many followers gave each answer. Nobody's own answer is kept. */
  answers: z.record(pollAnswer, z.number().int().nonnegative()),
})
export type Poll = z.infer<typeof poll>

export const autopilot = z.strictObject({
  /**
   * `off`: the presenter leads. `pausing`: shows a step until `until`, before its action for a question, and after it.
   * `running`: waits for the step's run. `stopped`: a check failed, `problem` says which. `finished`: the lab is over.
   */
  state: z.enum(['off', 'pausing', 'running', 'stopped', 'finished']),
  /** Multiplies the pauses that the lab plans: 0.5 halves them. */
  pace: z.number().min(0.1).max(5),
  until: epochMs.nullable(),
  problem: z.string().nullable(),
})
export type Autopilot = z.infer<typeof autopilot>

export const presentation = z.strictObject({
  sessionId,
  labId: z.string(),
  testbed: testbedId,
  stepId: z.string(),
  /** When the talk about this session began. */
  startedAt: epochMs,
  /** Since when this step is shown. */
  stepSince: epochMs,
  /** The projector and the followers show nothing. */
  blank: z.boolean(),
  /** The path takes the whole width. */
  pathWide: z.boolean(),
  autopilot,
  /** Null for a step without a question. */
  poll: poll.nullable(),
  /** People who follow now: viewers with a connection. */
  followers: z.number().int().nonnegative(),
})
export type Presentation = z.infer<typeof presentation>

/** Null while nothing is presented. */
export const presentationResponse = z.strictObject({ presentation: presentation.nullable() })

const presentBody = z.strictObject({ sessionId, stepId: z.string().max(80) })

/**
 * `go` takes over from autopilot. `autopilot` with `on` gives over to it at the shown step; while it leads, or with `on`
 * false, a `pace` still applies.
 */
const presentCommand = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('go'), stepId: z.string().max(80) }),
  z.strictObject({ do: z.literal('blank'), on: z.boolean() }),
  z.strictObject({ do: z.literal('widen-path'), on: z.boolean() }),
  z.strictObject({ do: z.literal('autopilot'), on: z.boolean(), pace: autopilot.shape.pace.optional() }),
])
export type PresentCommand = z.infer<typeof presentCommand>

const answerBody = z.strictObject({ stepId: z.string().max(80), answer: pollAnswer })
export type AnswerBody = z.infer<typeof answerBody>

export const readPresentation = { at: 'GET /api/presentation', response: presentationResponse } satisfies Route
/** Begins a talk, or moves it to another session. */
export const present = {
  at: 'PUT /api/presentation',
  body: presentBody,
  response: presentationResponse,
} satisfies Route
export const endPresentation = { at: 'DELETE /api/presentation', response: presentationResponse } satisfies Route
/** From the presenter's or the speaker's window. */
export const commandPresentation = {
  at: 'POST /api/presentation/commands',
  body: presentCommand,
  response: presentationResponse,
} satisfies Route
/** An answer per follower and step; a later answer replaces an earlier one. */
export const answerPoll = {
  at: 'POST /api/presentation/answers',
  body: answerBody,
  response: presentationResponse,
} satisfies Route
