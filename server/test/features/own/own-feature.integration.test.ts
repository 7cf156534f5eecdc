/**
 * A feature that no product file knows goes all the way on this machine's kernel: parsed, walked, narrated, reported, recorded and
 * played back. It is registered in three places: the edits to existing files that a feature takes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { abouts } from '@expresslane/shared/features/abouts'
import { features } from '@expresslane/shared/features/registry'
import { experimentPlan } from '@expresslane/shared/measure/experiment'
import { parseRecording, recordingView } from '@expresslane/shared/recordings/recording'
import { sessionReport } from '@expresslane/shared/report/build'
import { reportPieces, type ReportFormat } from '@expresslane/shared/report/file'
import { hasPassed, type RunState } from '@expresslane/shared/run/run-state'
import { segmentSize } from '@expresslane/shared/test/features/segment-size'
import { formatTestbedId, thisMachine, type TestbedId } from '@expresslane/shared/testbed/id'
import type { Session } from '@expresslane/shared/wire/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../../src/app.ts'
import { openDeps, type Deps } from '../../../src/deps.ts'
import { serverFeatures } from '../../../src/features/registry.ts'
import { narrate } from '../../../src/headless/narrate.ts'
import { resultOf } from '../../../src/headless/result.ts'
import { bench } from '../../../src/labs/bench.ts'
import { parseLab } from '../../../src/labs/parse/parse.ts'
import { openSession } from '../../../src/runs/coordination/sessions.ts'
import { dataDir, testConfig } from '../../support/deps.ts'
import { segmentSize as onServer } from './segment-size.ts'

/** The data bytes of a packet of 1,500 bytes and of a segment of 536 bytes: TCP's time stamps take 12. */
const [LARGE, SMALL] = [1448, 524]

/** A registration for each existing file that the feature is added to. */
const registrations = [features.register(segmentSize), abouts.register(segmentSize), serverFeatures.register(onServer)]
for (const unregister of registrations) afterAll(unregister)

const file = 'segment-size.md'
const parsed = parseLab('segment-size', readFileSync(join(import.meta.dirname, file), 'utf8'), file)
const labs = [...parsed.labs.map(({ lab }) => lab), bench]

interface Server {
  readonly deps: Deps
  readonly server: Awaited<ReturnType<typeof buildApp>>['server']
  readonly headers: Record<string, string>
}

async function openServer(): Promise<Server> {
  const deps = openDeps(testConfig(dataDir(afterAll)), { labs })
  afterAll(() => deps.close())
  const { server, token } = await buildApp(deps)
  afterAll(() => server.close())
  return { deps, server, headers: { host: 'localhost:0', authorization: `Bearer ${token}` } }
}

function begin({ deps }: Server, labId: string, on: TestbedId): Promise<Session> {
  return openSession(deps, { labId, testbed: on, owner: 'owner' })
}

function statesOf({ store, log }: Deps, of: Session): RunState[] {
  return store.runs.ofSession(of.id).flatMap(({ id }) => log.state(id) ?? [])
}

/** Walks a lab up to a step. */
async function walk({ deps }: Server, of: Session, stepId: string, params: object): Promise<RunState[]> {
  const { runId } = await deps.scheduler.start(of, { stepId, params, solve: true })
  await deps.scheduler.settled(runId)
  const walked = statesOf(deps, of)
  expect(walked.filter((one) => !hasPassed(one)).map(({ stepId: id, problem }) => [id, problem])).toEqual([])
  return walked
}

let here: Server
let session: Session
let runs: RunState[]

beforeAll(async () => {
  here = await openServer()
  session = await begin(here, 'segment-size', thisMachine)
  runs = await walk(here, session, 'restore', { repeats: 4, seconds: 1 })
})

function runOf(stepId: string): RunState {
  const found = runs.find((one) => one.stepId === stepId)
  if (found === undefined) throw new Error(`no run of ${stepId}`)
  return found
}

describe('a feature of one’s own', () => {
  test('is registered in three places, and its lab has no errors', () => {
    expect(registrations).toHaveLength(3)
    expect(parsed.problems).toEqual([])
  })

  test('sets its setting, reads it back, and proves it', () => {
    const labelled = (stepId: string) => runOf(stepId).outcome?.observations.map(({ label, seen }) => [label, seen])
    expect(labelled('switch')).toContainEqual(['segment limit, intended', 'at most 536 bytes'])
    expect(labelled('read')).toContainEqual(['segment limit of the pods', 'at most 536 bytes'])
    const [, proof = []] = labelled('measure-small')?.find(([label]) => label === 'payload of a segment') ?? []
    expect(proof).toBe(Array(4).fill(SMALL).join(', '))
  })

  test('is narrated and summed up without a browser', () => {
    const [lab] = labs
    if (lab === undefined) throw new Error('no lab')
    const events = statesOf(here.deps, session).flatMap(({ id }) => here.deps.store.events.ofRun(id))
    const printed = `${events.flatMap(({ event }) => narrate(lab, event, null)).join('\n')}\n`
    expect(printed).toContain(`   What ss says\n      Connection  Segment\n      1           ${LARGE}\n`)
    expect(printed).toMatch(/ {3}The first packet on both nodes\n +Field .*\n +version +4 +4 +stayed\n/)
    const { arms, comparison } = resultOf(lab, runs, null)
    const values = arms.map(({ measurements }) => measurements.map((one) => one.values['segmentPayload']))
    expect(values).toEqual([Array<number>(4).fill(LARGE), Array<number>(4).fill(SMALL)])
    expect(arms.map(({ settings }) => settings)).toEqual([{ 'segment-limit': null }, { 'segment-limit': 536 }])
    expect(arms[1]?.measurements[0]?.fingerprint?.settings).toMatchObject({ 'segment-limit': 536 })
    expect(comparison).toMatchObject({ metric: 'segmentPayload', off: LARGE, on: SMALL, verdict: 'worse' })
  })

  test('is in every report, with what its probe found', () => {
    const records = runs.map((one) => ({ run: one, output: [] }))
    const report = sessionReport(session, records, { labs, madeBy: 'Expresslane', now: 1 })
    const text = (format: ReportFormat): string => [...reportPieces(report, format)].join('')
    for (const format of ['html', 'md'] as const) {
      expect(text(format)).toContain('Payload of a segment')
      expect(text(format)).toContain(`${SMALL} octets`)
      expect(text(format)).toContain('The first packet on both nodes')
    }
    expect(JSON.stringify(JSON.parse(text('json')))).toContain(`"segmentPayload":${SMALL}`)
    const [head = '', ...rows] = text('csv').trim().split('\r\n')
    const columnOf = (name: string) => new Set(rows.map((row) => row.split(',')[head.split(',').indexOf(name)]))
    expect(columnOf('segment_payload_octets')).toEqual(new Set([`${LARGE}`, `${SMALL}`]))
    expect(columnOf('probe_port')).toEqual(new Set(['12865']))
    expect(columnOf('env_segment_limit')).toEqual(new Set(['', '536']))
  })

  test('is recorded, imported elsewhere, and played back', async () => {
    const url = `/api/sessions/${session.id}/recording`
    const { payload } = await here.server.inject({ url, headers: here.headers })
    expect(parseRecording(payload).runs).toHaveLength(11)
    const there = await openServer()
    const headers = { ...there.headers, 'content-type': 'application/json' }
    const imported = await there.server.inject({ method: 'POST', url: '/api/recordings', headers, payload })
    const { id } = recordingView.parse(imported.json())
    const recorded = formatTestbedId({ kind: 'recording', context: id, owner: null })
    const again = await begin(there, 'segment-size', recorded)
    const played = await walk(there, again, 'restore', { speed: 20 })
    const compared = played.find(({ stepId }) => stepId === 'compare')
    expect(compared?.comparisons).toEqual(runOf('compare').comparisons)
    expect(played.find(({ stepId }) => stepId === 'handshake')?.exhibits).toEqual(runOf('handshake').exhibits)
  })

  test('is varied by an experiment of the Bench', async () => {
    const plan = experimentPlan.parse({
      arms: [null, 1_000].map((limit) => ({
        id: `limit-${limit}`,
        label: `Limit ${limit}`,
        settings: { 'segment-limit': limit },
      })),
      cases: [{ id: 'v4', label: 'v4', family: 'ipv4', benchmark: { tool: 'segment-probe', port: 12_865 } }],
      design: { order: 'interleaved', repeats: 4, seconds: 1, warmups: 0, budget: null },
    })
    const own = await begin(here, 'bench', thisMachine)
    const [measured] = await walk(here, own, 'run', { plan, repeats: 4, seconds: 1 })
    expect(measured?.comparisons).toMatchObject([
      { comparison: { verdict: 'worse', rows: [{ metric: 'segmentPayload', ratio: 988 / LARGE }] } },
    ])
  })
})
