/** The instructor's board: invitations and doors, who is in the room, the queue, and the audit log. */
import { z } from 'zod'
import { problem } from '../base/errors.ts'
import { runId, runStatus, sessionId } from '../run/events.ts'
import { ownerId, testbedId } from '../testbed/id.ts'
import { epochMs, family } from '../base/units.ts'
import { guestRole, role } from './room.ts'
import type { Route } from './route.ts'

export const invitation = z.strictObject({
  id: z.string(),
  role: guestRole,
  createdAt: epochMs,
  expiresAt: epochMs,
  revokedAt: epochMs.nullable(),
  /** How many people joined with it. */
  joined: z.number().int().nonnegative(),
})
export type Invitation = z.infer<typeof invitation>

export const invitationsResponse = z.strictObject({ invitations: z.array(invitation) })

const createInvitationBody = z.strictObject({
  role: guestRole,
  hours: z.number().int().min(1).max(72).default(12),
})

/** The only answer that carries the code: the server keeps its hash. */
export const newInvitation = z.strictObject({
  invitation,
  /** `/f/CODE` for a viewer, `/j/CODE` for a participant, on the address under which the room reaches this server. */
  link: z.string(),
})
export type NewInvitation = z.infer<typeof newInvitation>

/** A way in while the instructor keeps the door open: a link, and a short code to type by hand. */
export const door = z.strictObject({
  role: guestRole,
  /** Null while the door is closed, and for some minutes after many wrong codes were typed. */
  code: z.string().nullable(),
  /** With a long code of its own, which can't be guessed. Null while the door is closed. */
  link: z.string().nullable(),
})
export type Door = z.infer<typeof door>

/** A person's way through a lab, as the board shows it. */
export const seat = z.strictObject({
  sessionId,
  labId: z.string(),
  testbed: testbedId,
  /** The step that runs, or the first step that has not passed; null when all have. */
  stepId: z.string().nullable(),
  passedSteps: z.array(z.string()),
  /** The latest check that failed and was not repeated. */
  failed: z.strictObject({ stepId: z.string(), runId, problem: problem.nullable(), message: z.string() }).nullable(),
  /** The run that is running or waits. */
  run: z
    .strictObject({
      runId,
      stepId: z.string(),
      state: runStatus,
      place: z.number().int().positive().nullable(),
      expectedSeconds: z.number().nonnegative().nullable(),
    })
    .nullable(),
  /** The ratio of the lab's main metric, last arm over first, with its 95 % interval; null before both are measured. */
  result: z
    .strictObject({
      metric: z.string(),
      family,
      ratio: z.number(),
      low: z.number().nullable(),
      high: z.number().nullable(),
    })
    .nullable(),
})
export type Seat = z.infer<typeof seat>

export const participant = z.strictObject({
  id: ownerId,
  name: z.string(),
  joinedAt: epochMs,
  /** From where they joined: an address, or the network of an IPv6 address; null where that is not known. */
  network: z.string().nullable(),
  /** True while a page of this participant is connected. */
  online: z.boolean(),
  seats: z.array(seat),
})
export type Participant = z.infer<typeof participant>

/** The learners of a lab at one step. Times are their own: without the time in which their runs waited or ran. */
export const stepFigures = z.strictObject({
  stepId: z.string(),
  /** How many learners were at it. */
  reached: z.number().int().nonnegative(),
  /** How many passed it without Solve and without an instructor. */
  passed: z.number().int().nonnegative(),
  /** How many are at it now. */
  here: z.number().int().nonnegative(),
  /** How many left at it. */
  left: z.number().int().nonnegative(),
  /** Runs that did not pass, before the first pass. */
  failures: z.number().int().nonnegative(),
  /** How many of them showed a hint. */
  hints: z.number().int().nonnegative(),
  /** How many learners had Solve, or an instructor, do it. */
  solves: z.number().int().nonnegative(),
  hands: z.number().int().nonnegative(),
  /** The quartiles of the time to pass, in seconds, estimated with those who have not passed. Null if too few have. */
  seconds: z.strictObject({
    low: z.number().nonnegative().nullable(),
    median: z.number().nonnegative().nullable(),
    high: z.number().nonnegative().nullable(),
    /** The longest time of any learner at it, who may not have passed; null without learners. */
    longest: z.number().nonnegative().nullable(),
  }),
  /** The time over the time that the text and the pace at the other steps let expect; null before both are known. */
  factor: z.number().nonnegative().nullable(),
  /** How the step stands out: more time, or more learners in trouble, than at the other steps. */
  standsOut: z.array(z.enum(['time', 'trouble'])),
})
export type StepFigures = z.infer<typeof stepFigures>

/** Where the learners of a lab are, and which step keeps them longest. */
export const labFigures = z.strictObject({
  labId: z.string(),
  learners: z.number().int().nonnegative(),
  finished: z.number().int().nonnegative(),
  /** The step with the largest factor; null before there are two steps to compare. */
  slowest: z.string().nullable(),
  /** The steps that act, in order. */
  steps: z.array(stepFigures),
})
export type LabFigures = z.infer<typeof labFigures>

/** A run as the queue names it. */
const runInQueue = z.strictObject({
  runId,
  sessionId,
  person: ownerId,
  name: z.string(),
  labId: z.string(),
  stepId: z.string(),
})
export type RunInQueue = z.infer<typeof runInQueue>

/** The instructor's board. */
export const roomView = z.strictObject({
  participants: z.array(participant),
  /** The most that this server lets in (`EXPRESSLANE_PARTICIPANTS`). */
  limit: z.number().int().positive(),
  /** The networks from which several people joined, and not more are allowed to than `most`. */
  crowded: z.array(
    z.strictObject({ network: z.string(), people: z.number().int().positive(), most: z.number().int().positive() }),
  ),
  followers: z.number().int().nonnegative(),
  /** The labs that present participants have begun. */
  labs: z.array(labFigures),
  queue: z.strictObject({
    paused: z.boolean(),
    /** In the order of their turns. */
    waiting: z.array(runInQueue),
    /** The runs that others wait for. */
    running: z.array(
      runInQueue.extend({
        /** How long it has been running. */
        seconds: z.number().nonnegative(),
        /** Until it and the rest of its solve have probably ended; null if that is unknown. */
        leftSeconds: z.number().nonnegative().nullable(),
      }),
    ),
  }),
  doors: z.array(door),
})
export type RoomView = z.infer<typeof roomView>

export const queueBody = z.strictObject({ paused: z.boolean() })

/** To one participant, or to all. Plain text. */
export const messageBody = z.strictObject({
  to: ownerId.nullable(),
  text: z
    .string()
    .trim()
    .min(1)
    .max(280)
    // Without control characters, line separators, and characters that are invisible or change the direction of text.
    // Ranges instead of \p{...}: tools that read the API's description can't use property escapes.
    .regex(
      /^[ -~\u00a0-\u00ac\u00ae-\u061b\u061d-\u180d\u180f-\u200a\u2010-\u2027\u202f-\u205f\u2070-\udb3f\udb41-\ufefe\uff00-\ufff8\ufffc\ufffd]+$/,
      'use plain text on one line',
    ),
})
export type MessageBody = z.infer<typeof messageBody>

/** A line of the audit log: a person's action on a datapath, its time, and the sender's address. */
export const auditEntry = z.strictObject({
  id: z.number().int().positive(),
  at: epochMs,
  principal: ownerId.nullable(),
  name: z.string(),
  role: role.nullable(),
  /** The client's IP address. */
  address: z.string(),
  /** Method and route pattern: `POST /api/sessions/:id/reset`. */
  action: z.string(),
  /** The object of the action: the route's parameters, and the testbed where there is one. */
  target: z.record(z.string(), z.string()),
  status: z.number().int(),
})
export type AuditEntry = z.infer<typeof auditEntry>

export const auditResponse = z.strictObject({ entries: z.array(auditEntry), next: z.number().int().nullable() })

export const createOwnLink = { at: 'POST /api/me/link', status: 201, response: newInvitation } satisfies Route
export const listInvitations = { at: 'GET /api/room/invitations', response: invitationsResponse } satisfies Route
export const invite = {
  at: 'POST /api/room/invitations',
  body: createInvitationBody,
  status: 201,
  response: newInvitation,
} satisfies Route
/** Closes the sockets of everybody who joined with it. */
export const revokeInvitation = {
  at: 'DELETE /api/room/invitations/:id',
  params: z.strictObject({ id: z.string().max(40) }),
} satisfies Route
/** Opening an open door makes a new code and a new link. */
export const setDoor = {
  at: 'PUT /api/room/doors/:role',
  params: z.strictObject({ role: guestRole }),
  body: z.strictObject({ open: z.boolean() }),
  response: door,
} satisfies Route

export const readRoom = { at: 'GET /api/room', response: roomView } satisfies Route
/** A paused queue starts nothing; running runs go on. */
export const pauseQueue = { at: 'PUT /api/room/queue', body: queueBody, response: queueBody } satisfies Route
export const sendMessage = { at: 'POST /api/room/messages', body: messageBody } satisfies Route
/** More people may join from a network than its part of the seats. */
export const allowNetwork = {
  at: 'POST /api/room/networks',
  body: z.strictObject({ network: z.string().min(1).max(60) }),
} satisfies Route
export const removeParticipant = {
  at: 'DELETE /api/room/participants/:id',
  params: z.strictObject({ id: ownerId }),
} satisfies Route
const labQuery = z.strictObject({
  lab: z
    .string()
    .max(80)
    .regex(/^[a-z0-9-]+$/),
})
export const downloadResults = { at: 'GET /api/room/results.csv', query: labQuery, file: ['text/csv'] } satisfies Route
export const downloadRoomReport = { at: 'GET /api/room/report', query: labQuery, file: ['text/html'] } satisfies Route
const stepsQuery = labQuery.extend({
  /** True for files with the names of people. */
  names: z.enum(['true', 'false']).default('false'),
})
export const downloadStepsReport = { at: 'GET /api/room/steps', query: stepsQuery, file: ['text/html'] } satisfies Route
export const downloadSteps = { at: 'GET /api/room/steps.csv', query: stepsQuery, file: ['text/csv'] } satisfies Route
export const downloadStatements = {
  at: 'GET /api/room/xapi.json',
  query: stepsQuery,
  file: ['application/json'],
} satisfies Route

/** Newest first. */
export const listAudit = {
  at: 'GET /api/audit',
  query: z.strictObject({
    before: z.coerce.number<number>().int().positive().optional(),
    limit: z.coerce.number<number>().int().min(1).max(200).default(50),
  }),
  response: auditResponse,
} satisfies Route
export const downloadAudit = { at: 'GET /api/audit.csv', file: ['text/csv'] } satisfies Route
