/** Shared by the routes: error answers, and the names of schemas in OpenAPI. */
import { errorBody, problem } from '@expresslane/shared/base/errors'
import { loggedEvent, runEvent } from '@expresslane/shared/run/events'
import { experimentPlan } from '@expresslane/shared/measure/experiment'
import { lab, step } from '@expresslane/shared/labs/lab'
import { profile } from '@expresslane/shared/wire/profiles'
import { runAccepted, runSummary, session, sessionView, testbedView } from '@expresslane/shared/wire/protocol'
import { streamFrame } from '@expresslane/shared/wire/stream'
import { datapathState, reading } from '@expresslane/shared/testbed/reading'
import { recordingLine, recordingView } from '@expresslane/shared/recordings/recording'
import { runState } from '@expresslane/shared/run/run-state'
import { check, testbedFacts } from '@expresslane/shared/testbed/testbed'
import { rehearsal } from '@expresslane/shared/wire/rehearsal'
import { presentation } from '@expresslane/shared/wire/presentation'
import { placement } from '@expresslane/shared/testbed/placement'
import { z } from 'zod'

const components = {
  Problem: problem,
  ErrorBody: errorBody,
  Lab: lab,
  Step: step,
  Session: session,
  RunState: runState,
  RunEvent: runEvent,
  LoggedEvent: loggedEvent,
  RunSummary: runSummary,
  TestbedView: testbedView,
  TestbedFacts: testbedFacts,
  Check: check,
  Placement: placement,
  DatapathState: datapathState,
  Reading: reading,
  RunAccepted: runAccepted,
  SessionView: sessionView,
  ExperimentPlan: experimentPlan,
  Profile: profile,
  StreamFrame: streamFrame,
  RecordingLine: recordingLine,
  RecordingView: recordingView,
  Presentation: presentation,
  Rehearsal: rehearsal,
}

export const componentNames: ReadonlySet<string> = new Set(Object.keys(components))

export const named = z.registry<{ id: string }>()
for (const [id, schema] of Object.entries(components)) named.add(schema, { id })

/** Error answers that every route with access control can give. */
export const refusals = {
  400: errorBody,
  401: errorBody,
  403: errorBody,
  429: errorBody,
  431: errorBody,
  500: errorBody,
} as const

/** The policy of a report, which needs only its own inline style. */
export const REPORT_CSP =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
