/** HTTP bodies between the server and its clients: the page and scripts. */
import { z } from 'zod'
import { problem } from '../base/errors.ts'
import { loggedEvent, queuePlace, runId, runStatus, sessionId } from '../run/events.ts'
import { glossaryTerm } from '../labs/glossary.ts'
import { stepParams, listedLab } from '../labs/lab.ts'
import { labProblem } from '../labs/problem.ts'
import { briefVerdict } from '../compare/comparison.ts'
import { toolId } from '../measure/benchmark.ts'
import { armId } from '../measure/measurement.ts'
import { metricValues } from '../measure/metrics.ts'
import { settingId, settings } from '../base/settings.ts'
import { datapathState } from '../testbed/reading.ts'
import { runState } from '../run/run-state.ts'
import { ownerId, testbedId, thisMachine } from '../testbed/id.ts'
import { capability, check, testbedFacts, testbedKind } from '../testbed/testbed.ts'
import { placementVariant } from '../testbed/placement.ts'
import { epochMs, family } from '../base/units.ts'
import type { Route } from './route.ts'

export const session = z.strictObject({
  id: sessionId,
  labId: z.string(),
  testbed: testbedId,
  /** The id of the principal that started it. */
  owner: ownerId,
  createdAt: epochMs,
})
export type Session = z.infer<typeof session>

/** The labs, and the server's testbeds, one per kind. For clusters this is the context in use, or only the kind if none is chosen. */
export const labsResponse = z.strictObject({
  labs: z.array(listedLab),
  /** The terms that the page explains in the labs' text; of two with the same name, the latter counts. */
  glossary: z.array(glossaryTerm).default([]),
  /** Problems of labs' files. A file with problems can still have labs, from before it was edited. */
  problems: z.array(labProblem),
  testbeds: z.array(testbedId),
})
export type LabsResponse = z.infer<typeof labsResponse>

/** A cluster that a testbed can use, named as in the kubeconfig. Contains no credentials. */
export const clusterContext = z.strictObject({
  name: z.string(),
  cluster: z.string(),
  namespace: z.string().nullable(),
  /** The context that kubectl uses by default. */
  current: z.boolean(),
  /** Whether the kubeconfig says not to check who answers: `insecure-skip-tls-verify`. */
  insecure: z.boolean(),
})
export type ClusterContext = z.infer<typeof clusterContext>

/** Who changes a cluster that everybody shares. */
export const driver = z.strictObject({
  person: ownerId,
  name: z.string(),
  since: epochMs,
  /** Who asks to drive, and since when; after 60 s without an answer they can take over. */
  asked: z.strictObject({ person: ownerId, name: z.string(), at: epochMs }).nullable(),
})
export type Driver = z.infer<typeof driver>

const driverResponse = z.strictObject({ driver: driver.nullable() })

/** The run that uses a testbed. */
export const testbedHolder = z.strictObject({
  /** Null for a run that the reader may not see. */
  runId: runId.nullable(),
  /** Null with `runId`. */
  sessionId: sessionId.nullable(),
  stepId: z.string(),
})
export type TestbedHolder = z.infer<typeof testbedHolder>

export const testbedView = z.strictObject({
  id: testbedId,
  kind: testbedKind,
  capabilities: z.array(capability),
  /** The capabilities that the testbed can never have, each with the reason in a sentence for people. */
  lacks: z.array(z.strictObject({ capability, reason: z.string() })),
  /** The values to choose from that it alone can list, by setting; the first is its default. */
  choices: z.record(settingId, z.array(z.string())),
  /** The labs that it can run; null for all. A recording only plays its own lab. */
  labs: z.array(z.string()).nullable(),
  /** The placements of pods that it supports. */
  placements: z.array(placementVariant),
  /** The kubeconfig's contexts; empty on this machine. */
  contexts: z.array(clusterContext),
  /**
   * The context, which is part of the id. Null if there is no choice, or if none is chosen yet: then no cluster is
   * touched.
   */
  context: z.string().nullable(),
  /** Null if it could not be read; `problem` then has the reason. */
  facts: testbedFacts.nullable(),
  preflight: z.array(check),
  datapath: datapathState.nullable(),
  problem: problem.nullable(),
  /** The run that uses the testbed now. */
  busy: testbedHolder.nullable(),
  /** The settings from before Expresslane's first change, kept until they are restored; null if there are none. */
  toRestore: settings.nullable(),
})
export type TestbedView = z.infer<typeof testbedView>

export const testbedsResponse = z.strictObject({ testbeds: z.array(testbedView) })

const createSessionBody = z.strictObject({ labId: z.string().max(80), testbed: testbedId.default(thisMachine) })

/** The session and its runs up to `seq`. A client that opens the stream with `after=seq` misses nothing. */
export const sessionView = z.strictObject({
  session,
  runs: z.array(runState),
  incarnation: z.string().nullable(),
  seq: z.number().int().nonnegative(),
})
export type SessionView = z.infer<typeof sessionView>

export const sessionsResponse = z.strictObject({
  sessions: z.array(
    session.extend({
      lastRunAt: epochMs.nullable(),
      passedSteps: z.array(z.string()),
      /** The latest, and when its run began; null before a comparison. */
      verdict: briefVerdict.extend({ at: epochMs }).nullable(),
    }),
  ),
})
export type SessionsResponse = z.infer<typeof sessionsResponse>

/** `solve` runs all steps up to this step that are not done. */
const runStepBody = z.strictObject({
  params: stepParams.omit({ opinionOf: true }).default({}),
  solve: z.boolean().default(false),
})
export type RunStepBody = z.input<typeof runStepBody>

export const runAccepted = z.strictObject({
  runId,
  stepId: z.string(),
  /** The run's place in the queue; null if it started at once. */
  queue: queuePlace.nullable(),
})
export type RunAccepted = z.infer<typeof runAccepted>

/** The latest second opinion on a run; null if there is none that the caller may read. */
export const opinionResponse = z.strictObject({ runId: runId.nullable() })

/** A line of the history. */
export const runSummary = z.strictObject({
  id: runId,
  sessionId,
  labId: z.string(),
  stepId: z.string(),
  testbed: testbedId,
  state: runStatus,
  /** For a queued run: when it was requested. */
  startedAt: epochMs,
  endedAt: epochMs.nullable(),
  /** Null before the step's check. */
  passed: z.boolean().nullable(),
  /** True for a step that the testbed could not do. */
  leftOut: z.literal(true).optional(),
  /** Null for a run without measurements. */
  measured: z
    .strictObject({
      /** A single arm for a step that measures; several for an experiment. */
      arms: z.array(armId).min(1),
      family,
      /** The number of measurements, without warm-ups. */
      repeats: z.number().int(),
      /** The tool; null if there were several or if it was not stored. */
      tool: toolId.nullable(),
      /** The arm's medians; empty with several arms. */
      values: metricValues,
    })
    .nullable(),
  /** Missing for a run that compared nothing, and for runs of versions that did not keep it. */
  verdict: briefVerdict.optional(),
  problem: problem.nullable(),
})
export type RunSummary = z.infer<typeof runSummary>

const runsQuery = z.strictObject({
  lab: z.string().max(80).optional(),
  state: runStatus.optional(),
  measured: z.enum(['true', 'false']).optional(),
  /** Only playbacks of recordings, or all other runs. */
  recorded: z.enum(['true', 'false']).optional(),
  /** Only runs that started before this run, the last line of the previous page. */
  before: runId.optional(),
  limit: z.coerce.number<number>().int().min(1).max(200).default(50),
})
export type RunsQuery = z.input<typeof runsQuery>

export const runsResponse = z.strictObject({
  runs: z.array(runSummary),
  /** The value of `before` for the next page; null on the last page. */
  next: runId.nullable(),
  /** The sessions of these runs; the verdict is a session's latest, whichever of its runs are listed. */
  sessions: z.array(
    session
      .pick({ id: true, labId: true, testbed: true, createdAt: true })
      .extend({ verdict: briefVerdict.nullable() }),
  ),
})
export type RunsResponse = z.infer<typeof runsResponse>

const runQuery = z.strictObject({ events: z.enum(['true', 'false']).default('true') })
/** The state has the end of the output; `events` is missing with `events=false`. */
export const runResponse = z.strictObject({ run: runState, events: z.array(loggedEvent).optional() })

export const outputResponse = z.strictObject({
  /** Oldest first. */
  lines: runState.shape.log,
  /** The number of lines before these. */
  earlier: z.number().int().nonnegative(),
})

/** `GET /healthz` */
export const healthResponse = z.strictObject({ status: z.literal('ok'), version: z.string() })
/** `GET /readyz` */
export const readyResponse = z.strictObject({ status: z.literal('ready'), version: z.string() })

export const sessionParams = z.strictObject({ id: sessionId })
export const runParams = z.strictObject({ id: runId })
const testbedParams = z.strictObject({ id: testbedId })
const freshQuery = z.strictObject({ fresh: z.enum(['true', 'false']).default('false') })

const accepted = { status: 202, response: runAccepted } as const

/** Does not wait for a testbed. */
const labsQuery = z.strictObject({
  /** Two letters (ISO 639-1). Labs without a translation are in their own language. */
  language: z
    .string()
    .regex(/^[a-z]{2}$/)
    .optional(),
})
export const listLabs = { at: 'GET /api/labs', query: labsQuery, response: labsResponse } satisfies Route
export const listTestbeds = { at: 'GET /api/testbeds', query: freshQuery, response: testbedsResponse } satisfies Route
/** Does not wait for other testbeds. With `fresh` the preflight checks run again. */
export const readTestbed = {
  at: 'GET /api/testbeds/:id',
  params: testbedParams,
  query: freshQuery,
  response: testbedView,
} satisfies Route
/** The response is the testbed in that context, which is used from then on. */
export const chooseContext = {
  at: 'PUT /api/testbeds/:id/context',
  params: testbedParams,
  body: z.strictObject({ context: z.string().min(1).max(253) }),
  response: testbedView,
} satisfies Route
/** Asks to drive, takes over where that is allowed, and is the driver's answer to somebody who asks: they keep driving. */
export const askToDrive = {
  at: 'POST /api/testbeds/:id/driver',
  params: testbedParams,
  response: driverResponse,
} satisfies Route
export const stopDriving = {
  at: 'DELETE /api/testbeds/:id/driver',
  params: testbedParams,
  response: driverResponse,
} satisfies Route

export const beginSession = {
  at: 'POST /api/sessions',
  body: createSessionBody,
  status: 201,
  response: sessionView,
} satisfies Route
export const listSessions = { at: 'GET /api/sessions', response: sessionsResponse } satisfies Route
export const readSession = { at: 'GET /api/sessions/:id', params: sessionParams, response: sessionView } satisfies Route
export const runStep = {
  at: 'POST /api/sessions/:id/steps/:step/run',
  params: z.strictObject({ id: sessionId, step: z.string().max(80) }),
  body: runStepBody,
  ...accepted,
} satisfies Route
export const resetSession = {
  at: 'POST /api/sessions/:id/reset',
  params: sessionParams,
  ...accepted,
} satisfies Route
/** The latest verdict of each lab in the caller's own sessions, as a file. */
export const downloadFound = {
  at: 'GET /api/found/report',
  query: z.strictObject({ format: z.enum(['html', 'md']).default('html') }),
  file: ['text/html', 'text/markdown'],
} satisfies Route

/** Newest first. */
export const listRuns = { at: 'GET /api/runs', query: runsQuery, response: runsResponse } satisfies Route
export const getRun = {
  at: 'GET /api/runs/:id',
  params: runParams,
  query: runQuery,
  response: runResponse,
} satisfies Route
/** The lines before event `before`; without it, the last lines. */
export const readOutput = {
  at: 'GET /api/runs/:id/output',
  params: runParams,
  query: z.strictObject({
    before: z.coerce.number<number>().int().positive().optional(),
    limit: z.coerce.number<number>().int().min(1).max(2000).default(500),
  }),
  response: outputResponse,
} satisfies Route
export const readOpinion = {
  at: 'GET /api/runs/:id/opinion',
  params: runParams,
  response: opinionResponse,
} satisfies Route
export const askOpinion = {
  at: 'POST /api/runs/:id/opinion',
  params: runParams,
  ...accepted,
} satisfies Route
export const cancelRun = {
  at: 'POST /api/runs/:id/cancel',
  params: runParams,
  ...accepted,
} satisfies Route
/** Moves a queued run to the front of the line. */
export const jumpQueue = {
  at: 'POST /api/runs/:id/jump',
  params: runParams,
  ...accepted,
} satisfies Route
