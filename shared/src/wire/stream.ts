/** The stream: frames from the server to its clients over one WebSocket. */
import { z } from 'zod'
import { problem } from '../base/errors.ts'
import { loggedEvent } from '../run/events.ts'
import { datapathState } from '../testbed/reading.ts'
import { testbedId } from '../testbed/id.ts'
import { epochMs } from '../base/units.ts'
import { handView } from './hand.ts'
import { presentation } from './presentation.ts'
import { driver, testbedHolder } from './protocol.ts'

/** `GET /api/stream?after=SEQ` (WebSocket). Without `after` the stream starts with the next event. */
export const streamQuery = z.strictObject({ after: z.coerce.number().int().nonnegative().optional() })

/** How often the server sends a sign of life. */
export const BEAT_MS = 20_000

/** From server to client; the client sends nothing. */
export const streamFrame = z.discriminatedUnion('type', [
  /** The first frame. `seq` is the last event in the log, `boot` changes when the server restarts. */
  z.strictObject({
    type: z.literal('hello'),
    seq: z.number().int().nonnegative(),
    boot: z.string(),
    version: z.string(),
  }),
  /** Stored events in the order of `seq`, without duplicates. */
  z.strictObject({ type: z.literal('events'), events: z.array(loggedEvent).min(1) }),
  /** A reading of the path, sent when it changes. It is not stored, and can't be requested again. */
  z.strictObject({
    type: z.literal('live'),
    testbed: testbedId,
    /** Null before the first reading. */
    incarnation: z.string().nullable(),
    /** Null if the testbed can't be read now; `problem` then has the reason. */
    datapath: datapathState.nullable(),
    problem: problem.nullable(),
  }),
  /** The response of `GET /api/labs` has changed since the server started; also sent after `hello`. */
  z.strictObject({ type: z.literal('labs'), revision: z.number().int().positive() }),
  /** Sent every {@link BEAT_MS}. A page that receives nothing for longer has a broken connection. */
  z.strictObject({ type: z.literal('beat') }),
  /** The current presentation, sent after `hello` and after each change. Null while nothing is presented. */
  z.strictObject({ type: z.literal('presentation'), presentation: presentation.nullable() }),
  /** The response of `GET /api/room` has changed. Sent to instructors only. */
  z.strictObject({ type: z.literal('room'), revision: z.number().int().positive() }),
  /** The drivers of shared clusters, after `hello` in a workshop and after each change. Nobody drives the other clusters. */
  z.strictObject({ type: z.literal('drivers'), drivers: z.array(z.strictObject({ testbed: testbedId, driver })) }),
  /** The runs that use testbeds, sent after `hello` and after each change. Testbeds without a line are free. */
  z.strictObject({
    type: z.literal('holders'),
    holders: z.array(z.strictObject({ testbed: testbedId, holder: testbedHolder })),
  }),
  /** The hands that are up, after `hello` in a workshop and after each change: all for an instructor, a participant's own. */
  z.strictObject({ type: z.literal('hands'), hands: z.array(handView) }),
  /** Why nothing can be stored now; null if it can. Sent after `hello`, and when it changes. */
  z.strictObject({ type: z.literal('store'), problem: problem.nullable() }),
  /** A message to this person: from the instructor, or about who drives a cluster. */
  z.strictObject({ type: z.literal('message'), text: z.string(), at: epochMs }),
])
export type StreamFrame = z.infer<typeof streamFrame>
/** A reading of a testbed's path. */
export type LiveFrame = Extract<StreamFrame, { type: 'live' }>
/** Who drives each shared cluster. */
export type DriversFrame = Extract<StreamFrame, { type: 'drivers' }>
/** The hands that are up. */
export type HandsFrame = Extract<StreamFrame, { type: 'hands' }>
/** The runs that use testbeds. */
export type HoldersFrame = Extract<StreamFrame, { type: 'holders' }>

/** WebSocket close codes of the stream. */
export const streamClose = {
  /** The server is going away; reconnect. */
  goingAway: 1001,
  /** The client reads too slowly; reconnect with `after`. */
  tooSlow: 4008,
  /** The same person opened too many newer streams; do not reconnect. */
  tooMany: 4009,
  /** This client's access was revoked; do not reconnect. */
  revoked: 4003,
} as const
