/** HTTP bodies and stream frames: what server, page and scripts say to each other. */
import { z } from 'zod'
import { problem } from './errors.ts'
import { loggedEvent, queuePlace, runId, runStatus, sessionId } from '../run/events.ts'
import { stepParams } from '../labs/lab.ts'
import { listedLab } from '../labs/listed.ts'
import { labProblem } from '../labs/problem.ts'
import { experimentPlan } from '../measure/experiment.ts'
import { toolId } from '../measure/benchmark.ts'
import { armId } from '../measure/measurement.ts'
import { metricValues } from '../measure/metrics.ts'
import { settings } from '../measure/settings.ts'
import { datapathState } from '../testbed/reading.ts'
import { runState } from '../run/run-state.ts'
import { ownerId, testbedId, thisMachine } from '../testbed/id.ts'
import { capability, check, testbedFacts, testbedKind } from '../testbed/testbed.ts'
import { placementVariant } from '../testbed/placement.ts'
import { epochMs, family } from '../measure/units.ts'
import { presentation } from './presentation.ts'

export const session = z.strictObject({
  id: sessionId,
  labId: z.string(),
  testbed: testbedId,
  /** The id of the principal that began it. */
  owner: ownerId,
  createdAt: epochMs,
})
export type Session = z.infer<typeof session>

/**
 * `GET /api/labs`: the labs, and the testbeds that this server offers, one of each kind: of a cluster the context that
 * is in use, or the kind alone while none is. Answers at once, whatever a testbed does.
 */
export const labsResponse = z.strictObject({
  labs: z.array(listedLab),
  /** What is wrong with labs' files; a file listed here may still have labs, from before it was edited. */
  problems: z.array(labProblem),
  testbeds: z.array(testbedId),
})
export type LabsResponse = z.infer<typeof labsResponse>

/** One of the places where a testbed can be, by the name that the kubeconfig gives it. Carries no credentials. */
export const clusterContext = z.strictObject({
  name: z.string(),
  cluster: z.string(),
  namespace: z.string().nullable(),
  /** The one that kubectl uses by itself. */
  current: z.boolean(),
})
export type ClusterContext = z.infer<typeof clusterContext>

export const testbedView = z.strictObject({
  id: testbedId,
  kind: testbedKind,
  capabilities: z.array(capability),
  /** What it never can, and why, in a sentence for people. */
  lacks: z.array(z.strictObject({ capability, reason: z.string() })),
  /** The labs that it can run at all; null for any. A recording plays back the one that it was made of. */
  labs: z.array(z.string()).nullable(),
  /** How it can place the workload's pods. */
  placements: z.array(placementVariant),
  /** The kubeconfig's contexts; empty where the testbed is this machine. */
  contexts: z.array(clusterContext),
  /** Where it is: part of its id. Null where there is no choice, and while nothing is chosen: then no cluster is touched. */
  context: z.string().nullable(),
  /** Null when it could not be read; `problem` says why. */
  facts: testbedFacts.nullable(),
  preflight: z.array(check),
  datapath: datapathState.nullable(),
  problem: problem.nullable(),
  /** The run that holds the testbed now. */
  busy: z.strictObject({ runId, sessionId, stepId: z.string() }).nullable(),
  /** The settings from before Expresslane first changed them, kept until they are put back; null where nothing is kept. */
  toRestore: settings.nullable(),
})
export type TestbedView = z.infer<typeof testbedView>

/** `GET /api/testbeds`; `GET /api/testbeds/:id` -> {@link testbedView}, which waits for no other testbed. */
export const testbedsResponse = z.strictObject({ testbeds: z.array(testbedView) })
export type TestbedsResponse = z.infer<typeof testbedsResponse>

/** `PUT /api/testbeds/:id/context` -> {@link testbedView} of the testbed in that context, which is in use from then on. */
export const useContextBody = z.strictObject({ context: z.string().min(1).max(253) })
export type UseContextBody = z.infer<typeof useContextBody>

/** `POST /api/sessions` -> 201 {@link sessionView} */
export const createSessionBody = z.strictObject({ labId: z.string().max(80), testbed: testbedId.default(thisMachine) })
export type CreateSessionBody = z.input<typeof createSessionBody>

/**
 * `GET /api/sessions/:id`: the session and its runs as folded up to `seq`. A client
 * opens the stream with `after=seq` and misses nothing.
 */
export const sessionView = z.strictObject({
  session,
  runs: z.array(runState),
  incarnation: z.string().nullable(),
  seq: z.number().int().nonnegative(),
})
export type SessionView = z.infer<typeof sessionView>

/** `GET /api/sessions` */
export const sessionsResponse = z.strictObject({
  sessions: z.array(session.extend({ lastRunAt: epochMs.nullable(), passedSteps: z.array(z.string()) })),
})
export type SessionsResponse = z.infer<typeof sessionsResponse>

/** `POST /api/sessions/:id/steps/:step/run` -> 202 {@link runAccepted}; `solve` runs every step up to this one that is not done. */
export const runStepBody = z.strictObject({
  params: stepParams.default({}),
  solve: z.boolean().default(false),
})
export type RunStepBody = z.input<typeof runStepBody>

/** Also the answer of `POST /api/sessions/:id/reset` and `POST /api/runs/:id/cancel`. */
export const runAccepted = z.strictObject({
  runId,
  stepId: z.string(),
  /** Where the run stands in line; null when it did not have to wait. */
  queue: queuePlace.nullable(),
})
export type RunAccepted = z.infer<typeof runAccepted>

/** A line of the history. */
export const runSummary = z.strictObject({
  id: runId,
  sessionId,
  labId: z.string(),
  stepId: z.string(),
  testbed: testbedId,
  state: runStatus,
  /** While it is queued: when it was asked for. */
  startedAt: epochMs,
  endedAt: epochMs.nullable(),
  /** Null until the step's check has been made. */
  passed: z.boolean().nullable(),
  /** Null for a run that measured nothing. */
  measured: z
    .strictObject({
      /** One in a step that measures one arm; several in an experiment. */
      arms: z.array(armId).min(1),
      family,
      /** Measurements in all, without what was thrown away. */
      repeats: z.number().int(),
      /** What it was measured with; null where that differs or was not kept. */
      tool: toolId.nullable(),
      /** Medians over the one arm; empty where there are several. */
      values: metricValues,
    })
    .nullable(),
  problem: problem.nullable(),
})
export type RunSummary = z.infer<typeof runSummary>

/** `GET /api/runs?lab=&state=&measured=true&before=&limit=`, newest first. */
export const runsQuery = z.strictObject({
  lab: z.string().max(80).optional(),
  state: runStatus.optional(),
  measured: z.enum(['true', 'false']).optional(),
  /** Only runs that started before this one: the id of the last line of the page before. */
  before: runId.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
})
export type RunsQuery = z.input<typeof runsQuery>

export const runsResponse = z.strictObject({
  runs: z.array(runSummary),
  /** Pass as `before` for the next page; null on the last. */
  next: runId.nullable(),
})
export type RunsResponse = z.infer<typeof runsResponse>

/** `GET /api/runs/:id` */
export const runResponse = z.strictObject({ run: runState, events: z.array(loggedEvent) })
export type RunResponse = z.infer<typeof runResponse>

/** A plan that was kept under a name, to run it again from the Bench page. */
export const profile = z.strictObject({
  // In an address `.` and `..` mean other folders, so a profile of that name could not be deleted.
  name: z
    .string()
    .max(60)
    .regex(/^(?!\.{1,2}$)\S(.*\S)?$/, 'expected a name other than . and .., without spaces around it'),
  plan: experimentPlan,
  savedAt: epochMs,
})
export type Profile = z.infer<typeof profile>

/** `GET /api/profiles`, by name; `PUT /api/profiles` -> {@link profile}; `DELETE /api/profiles/:name` -> 204. */
export const profilesResponse = z.strictObject({ profiles: z.array(profile) })
export type ProfilesResponse = z.infer<typeof profilesResponse>
export const saveProfileBody = profile.omit({ savedAt: true })
export type SaveProfileBody = z.infer<typeof saveProfileBody>

/** `GET /healthz` */
export const healthResponse = z.strictObject({ status: z.literal('ok'), version: z.string() })

/** `GET /api/stream?after=SEQ` (WebSocket). Without `after` the stream begins with what happens next. */
export const streamQuery = z.strictObject({ after: z.coerce.number().int().nonnegative().optional() })

/** How often the server says on the stream that it is there. */
export const BEAT_MS = 20_000

/** Server to client; the client sends nothing. */
export const streamFrame = z.discriminatedUnion('type', [
  /** The first frame: `seq` is the last one in the log, `boot` changes when the server restarts. */
  z.strictObject({
    type: z.literal('hello'),
    seq: z.number().int().nonnegative(),
    boot: z.string(),
    version: z.string(),
  }),
  /** Persisted events in `seq` order, each once. */
  z.strictObject({ type: z.literal('events'), events: z.array(loggedEvent).min(1) }),
  /** A volatile reading of the path, sent when it changed; not in the log, not resumable. */
  z.strictObject({
    type: z.literal('live'),
    testbed: testbedId,
    /** Null while it was never read. */
    incarnation: z.string().nullable(),
    /** Null when the testbed can't be read now; `problem` says why. */
    datapath: datapathState.nullable(),
    problem: problem.nullable(),
  }),
  /** The answer of `GET /api/labs` changed since the server started; sent after `hello`, too. */
  z.strictObject({ type: z.literal('labs'), revision: z.number().int().positive() }),
  /** Sent every {@link BEAT_MS}: a page that hears none for longer knows that its connection is broken. */
  z.strictObject({ type: z.literal('beat') }),
  /** What is presented now; sent after `hello`, and whenever it changes. Null while nothing is presented. */
  z.strictObject({ type: z.literal('presentation'), presentation: presentation.nullable() }),
  /** The answer of `GET /api/room` changed. Only instructors receive it. */
  z.strictObject({ type: z.literal('room'), revision: z.number().int().positive() }),
  /** The instructor wrote to this participant. */
  z.strictObject({ type: z.literal('message'), text: z.string(), at: epochMs }),
])
export type StreamFrame = z.infer<typeof streamFrame>
/** A testbed's path as it is now: volatile, neither stored nor resumed. */
export type LiveFrame = Extract<StreamFrame, { type: 'live' }>

/** WebSocket close codes of the stream. */
export const streamClose = {
  /** The server is going away; reconnect. */
  goingAway: 1001,
  /** The client reads too slowly; reconnect with `after`. */
  tooSlow: 4008,
  /** The access of this client was taken back; do not reconnect. */
  revoked: 4003,
} as const
