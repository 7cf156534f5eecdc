/** The real server on the real cluster, driven through its API as a script would. */
import type { LoggedEvent, RunEvent } from '@expresslane/shared/run/events'
import {
  runAccepted,
  runResponse,
  sessionView,
  testbedView,
  type RunStepBody,
  type TestbedView,
} from '@expresslane/shared/wire/protocol'
import { hasPassed, type RunState } from '@expresslane/shared/run/run-state'
import { expect, onTestFinished } from 'vitest'
import { startMain, type AtEnd, type Program } from '../../support/http/process.ts'
import { ask } from '../../support/http/server.ts'
import { connect } from '../../support/http/stream-client.ts'
import { currentContext, NAMESPACE } from './kubectl.ts'

export interface LabServer {
  readonly program: Program
  session(labId?: string): Promise<string>
  /** Starts a step, or with `solve` all up to it. */
  begin(session: string, stepId: string, body?: RunStepBody): Promise<void>
  /** Resolves with the session's last run once it, or what Solve goes on with after it, has ended. */
  ended(session: string, stepId: string): Promise<RunState>
  /** {@link begin}, then {@link ended}. */
  run(session: string, stepId: string, body?: RunStepBody): Promise<RunState>
  /** Resolves with the first event of the session's run of the step that fits, or with the `nth`. */
  event(session: string, stepId: string, fits: (event: RunEvent) => boolean, nth?: number): Promise<RunEvent>
  testbed(): Promise<TestbedView>
}

/** The environment of a server on this cluster; `more` overrides it. */
export async function clusterEnv(data: string, more: Record<string, string> = {}): Promise<Record<string, string>> {
  return {
    EXPRESSLANE_DATA: data,
    KUBECONFIG: process.env['E2E_KUBECONFIG'] ?? '',
    EXPRESSLANE_CONTEXT: await currentContext(),
    EXPRESSLANE_NAMESPACE: NAMESPACE,
    EXPRESSLANE_NETPERF_IMAGE: process.env['E2E_NETPERF_IMAGE'] ?? '',
    ...more,
  }
}

interface Started {
  readonly runId: string
  readonly session: string
  readonly stepId: string
}

/** @param atEnd of the test, if it is not of several */
export async function startLabServer(env: Record<string, string>, atEnd: AtEnd = onTestFinished): Promise<LabServer> {
  const program = startMain(env, 'src/main.ts', atEnd)
  const where = await program.ready
  const stream = connect(where, 0)
  atEnd(() => stream.socket.terminate())

  async function call(path: string, body?: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${where.token}`, 'content-type': 'application/json' }
    const asked = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await ask(where.port, path, { ...asked, headers })
    expect(answer.status, answer.text).toBeLessThan(300)
    return JSON.parse(answer.text)
  }

  function startsOf(session: string): Started[] {
    return stream.events().flatMap(({ runId, event }) => {
      if (event.type !== 'run.started' || event.sessionId !== session) return []
      return [{ runId, session, stepId: event.stepId }]
    })
  }

  function eventsOf(runId: string): LoggedEvent[] {
    return stream.events().filter((logged) => logged.runId === runId)
  }

  /** The last run has ended, and Solve does not go on with another after it. */
  function isOver(session: string, stepId: string): boolean {
    const last = startsOf(session).at(-1)
    if (last === undefined) return false
    const events = eventsOf(last.runId).map(({ event }) => event)
    const end = events.find((event) => event.type === 'run.ended')
    if (end === undefined) return false
    const passed = events.some((event) => event.type === 'step.checked' && event.outcome.passed)
    return last.stepId === stepId || end.state !== 'completed' || !passed
  }

  function fitting(session: string, stepId: string, fits: (event: RunEvent) => boolean): RunEvent[] {
    const run = startsOf(session).findLast((one) => one.stepId === stepId)
    const logged = run === undefined ? [] : eventsOf(run.runId)
    return logged.map(({ event }) => event).filter(fits)
  }

  const server: LabServer = {
    program,
    async session(labId = 'big-tcp-ipv4') {
      return sessionView.parse(await call('/api/sessions', { labId, testbed: 'kubernetes' })).session.id
    },
    async begin(session, stepId, body = {}) {
      const path = `/api/sessions/${session}/steps/${stepId}/run`
      const { runId } = runAccepted.parse(await call(path, body))
      await stream.until(() => eventsOf(runId).length > 0)
    },
    async ended(session, stepId) {
      await stream.until(() => isOver(session, stepId))
      const last = startsOf(session).at(-1)
      return runResponse.parse(await call(`/api/runs/${last?.runId}`)).run
    },
    async run(session, stepId, body) {
      await server.begin(session, stepId, body)
      return server.ended(session, stepId)
    },
    async event(session, stepId, fits, nth = 1) {
      const find = (): RunEvent | undefined => fitting(session, stepId, fits)[nth - 1]
      // A step that ends without the event would be waited for in vain.
      await stream.until(() => find() !== undefined || isOver(session, stepId))
      const found = find()
      if (found === undefined) {
        const { problem, outcome } = await server.ended(session, stepId)
        throw new Error(`${stepId} ended before what was waited for: ${JSON.stringify(problem ?? outcome)}`)
      }
      return found
    },
    testbed: async () => testbedView.parse(await call('/api/testbeds/kubernetes?fresh=true')),
  }
  return server
}

/** Fails with what the run says where it did not pass. */
export function expectPassed(run: RunState): void {
  const wrong = run.outcome?.observations.filter(({ ok }) => !ok) ?? []
  const checks = run.checks.filter(({ status }) => status === 'failed')
  const why = [run.stepId, run.problem ?? run.outcome?.sentence, ...wrong, ...checks]
  expect(hasPassed(run), JSON.stringify(why)).toBe(true)
}
