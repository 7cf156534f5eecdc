/** Help in a workshop: a participant raises a hand, and may let the instructor look at the session. */
import { z } from 'zod'
import { epochMs } from '../base/units.ts'
import { sessionId } from '../run/events.ts'
import { ownerId } from '../testbed/id.ts'
import { sessionParams } from './protocol.ts'
import type { Route } from './route.ts'
import { terminalView } from './terminal.ts'

/** A hand that is up. */
export const handView = z.strictObject({
  person: ownerId,
  name: z.string(),
  sessionId,
  labId: z.string(),
  /** The step at which the participant raised it. */
  stepId: z.string(),
  raisedAt: epochMs,
  /** How many hands were raised earlier and are up. */
  before: z.number().int().nonnegative(),
  /** True if the participant lets the instructor look at the session and its terminals. */
  letsIn: z.boolean(),
  /** The instructor who looks now; null if nobody does. */
  sharing: z
    .strictObject({
      by: ownerId,
      /** Whether the instructor may type in the terminals. It ends with the sharing. */
      typing: z.enum(['no', 'asked', 'allowed']),
      /** The participant's, on the testbed of the session. */
      terminals: z.array(terminalView),
    })
    .nullable(),
})
export type HandView = z.infer<typeof handView>

/** A consent that is missing stays as it is. */
const consentBody = z.strictObject({ letsIn: z.boolean().optional(), typing: z.boolean().optional() })
export type Consent = z.infer<typeof consentBody>

/** A person has one hand: it is lowered in another session. */
export const raiseHand = {
  at: 'POST /api/sessions/:id/steps/:step/hand',
  params: sessionParams.extend({ step: z.string().max(80) }),
} satisfies Route
export const giveConsent = {
  at: 'PUT /api/sessions/:id/hand',
  params: sessionParams,
  body: consentBody,
} satisfies Route
export const lowerHand = { at: 'DELETE /api/sessions/:id/hand', params: sessionParams } satisfies Route
/** With `typing`, it asks to type. */
export const lookAtSession = {
  at: 'PUT /api/sessions/:id/sharing',
  params: sessionParams,
  body: z.strictObject({ typing: z.boolean().default(false) }),
} satisfies Route
export const leaveSession = { at: 'DELETE /api/sessions/:id/sharing', params: sessionParams } satisfies Route
