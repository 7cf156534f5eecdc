/** Terminals: their routes, and the messages of their WebSocket, `GET /api/terminals/:id/stream`. */
import { z } from 'zod'
import { epochMs } from '../base/units.ts'
import { testbedId } from '../testbed/id.ts'
import type { Route } from './route.ts'

const rows = z.number().int().min(1).max(500)
const columns = z.number().int().min(1).max(1000)
export const terminalSize = z.strictObject({ rows, columns })
export type TerminalSize = z.infer<typeof terminalSize>

const id = z.string().max(40)

export const terminalView = z.strictObject({
  id,
  testbed: testbedId,
  /** A namespace of the testbed, or a pod of a cluster. */
  place: z.string(),
  openedAt: epochMs,
})
export type TerminalView = z.infer<typeof terminalView>

export const terminalsView = z.strictObject({
  /** The places of the testbed, in the order of the path. */
  places: z.array(z.string()),
  /** The reader's own. */
  terminals: z.array(terminalView),
  /** Why the reader can't open a terminal there; null if they can. */
  refusal: z.string().nullable(),
})
export type TerminalsView = z.infer<typeof terminalsView>

const ofTestbed = z.strictObject({ id: testbedId })

export const listTerminals = {
  at: 'GET /api/testbeds/:id/terminals',
  params: ofTestbed,
  response: terminalsView,
} satisfies Route
export const openTerminal = {
  at: 'POST /api/testbeds/:id/terminals',
  params: ofTestbed,
  body: z.strictObject({ place: z.string().min(1).max(253), rows, columns }),
  status: 201,
  response: terminalView,
} satisfies Route
export const closeTerminal = { at: 'DELETE /api/terminals/:id', params: z.strictObject({ id }) } satisfies Route

/** `after`: the client has the output up to this byte. Without it, all that the server keeps is sent. */
export const terminalQuery = z.strictObject({ after: z.coerce.number().int().nonnegative().optional() })

/** The most characters of one message: a longer text is sent in several. */
export const MOST_KEYS = 200

/** From the page, as JSON. */
export const terminalMessage = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('keys'), text: z.string().max(MOST_KEYS) }),
  z.strictObject({ type: z.literal('size'), rows, columns }),
])
export type TerminalMessage = z.infer<typeof terminalMessage>

/** To the page: output as binary messages, everything else as JSON. */
export const terminalFrame = z.discriminatedUnion('type', [
  /** Comes first: the next byte of output is this one. A page whose last byte is another begins with an empty screen. */
  z.strictObject({ type: z.literal('from'), byte: z.number().int().nonnegative() }),
  /** The size of the terminal, to an instructor who looks: after `from`, and when the participant's page changes it. */
  z.strictObject({ type: z.literal('size'), rows, columns }),
  /** Comes last, in words for people. */
  z.strictObject({ type: z.literal('ended'), message: z.string() }),
])
export type TerminalFrame = z.infer<typeof terminalFrame>
