/** A rehearsal: a lab that was run quickly before a talk, and its forecast of the talk. */
import { z } from 'zod'
import { comparedRow } from '../compare/comparison.ts'
import { runId, sessionId } from '../run/events.ts'
import { check } from '../testbed/testbed.ts'
import { testbedId } from '../testbed/id.ts'
import { epochMs } from '../base/units.ts'
import { sessionParams } from './protocol.ts'
import type { Route } from './route.ts'

/** A comparison of the lab, and whether the talk will show it. */
export const rehearsedEffect = z.strictObject({
  stepId: z.string(),
  /** The compared arms: `80 kB requests, without BIG TCP → with BIG TCP`. */
  label: z.string(),
  /** The main metric: medians, every value, ratio, interval and verdict. */
  row: comparedRow,
  /** Repeats of each arm that the lab plans. */
  plannedRuns: z.number().int().positive(),
  /** The share, 0 to 1, of talks in which the planned repeats show a difference; null where it can't be judged. */
  power: z.number().min(0).max(1).nullable(),
  /** The repeats of each arm that show it in 8 of 10 talks, up to the lab's most; null if none do, or it is not needed. */
  neededRuns: z.number().int().positive().nullable(),
})
export type RehearsedEffect = z.infer<typeof rehearsedEffect>

export const rehearsal = z.strictObject({
  /** The session that was run for it. */
  sessionId,
  /** Cancelling this run ends the rehearsal. */
  runId,
  labId: z.string(),
  testbed: testbedId,
  startedAt: epochMs,
  /** `ready`: every step passed. `failed`: `failed` says which did not. `cancelled`: somebody ended it. */
  state: z.enum(['running', 'ready', 'failed', 'cancelled']),
  /** The number of passed steps with an action, and of all steps with an action. */
  steps: z.strictObject({ passed: z.number().int().nonnegative(), total: z.number().int().positive() }),
  preflight: z.array(check),
  /** The first step that did not pass. */
  failed: z.strictObject({ stepId: z.string(), title: z.string(), message: z.string() }).nullable(),
  /** Seconds; null before the end of a rehearsal that passed. */
  expected: z
    .strictObject({
      rehearsal: z.number().nonnegative(),
      /** The actions, with the lab's own seconds and repeats. */
      actions: z.number().nonnegative(),
      /** A talk: of each step the planned minutes, or its action where that takes longer. */
      talk: z.number().nonnegative(),
      /** Autopilot at pace 1. */
      autopilot: z.number().nonnegative(),
    })
    .nullable(),
  effects: z.array(rehearsedEffect),
  /** The recording to fall back on; null while there is none. */
  recordingId: z.string().nullable(),
  /** The meaning for the talk, in sentences. */
  says: z.array(z.string()),
})
export type Rehearsal = z.infer<typeof rehearsal>

/** Null if there was none since the server started. */
export const rehearsalResponse = z.strictObject({ rehearsal: rehearsal.nullable() })

/** While a rehearsal runs, the response is that rehearsal. */
export const rehearse = {
  at: 'POST /api/sessions/:id/rehearsal',
  params: sessionParams,
  status: 202,
  response: rehearsalResponse,
} satisfies Route
/** The latest rehearsal of the session's lab on its testbed. */
export const readRehearsal = {
  at: 'GET /api/sessions/:id/rehearsal',
  params: sessionParams,
  response: rehearsalResponse,
} satisfies Route
