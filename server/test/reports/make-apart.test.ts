/** Reports from the worker thread, and its limits. */
import { gunzipSync } from 'node:zlib'
import { report } from '@expresslane/shared/report/model'
import { expect, it, onTestFinished } from 'vitest'
import { createReports } from '../../src/reports/make-apart.ts'
import { beginSession, openRig, runStep, type Rig } from '../support/deps.ts'

function reportsOf({ deps }: Rig, limits?: { megabytes: number; ms: number }) {
  const { dataDir } = deps.config
  const reports = createReports({ dataDir, clock: deps.clock, madeBy: 'Expresslane 1', ...(limits && { limits }) })
  onTestFinished(() => reports.close())
  return reports
}

async function compared() {
  const rig = openRig()
  const session = await beginSession(rig.deps)
  const { id } = await runStep(rig.deps, session, 'preflight')
  const subject = { about: 'session', session, runs: [id] } as const
  return { rig, id, task: { subject, format: 'json', labs: rig.deps.labs.all(), opinions: [] } as const }
}

it('reports have the values of the database', async () => {
  const { rig, id, task } = await compared()
  const { gzip, name, type } = await reportsOf(rig).make(task)
  const made = report.parse(JSON.parse(gunzipSync(gzip).toString()))
  expect(made.runs.map((run) => run.id)).toEqual([id])
  expect(made.madeBy).toBe('Expresslane 1')
  expect([name, type]).toEqual([expect.stringMatching(/^expresslane-.*\.json$/), 'application/json; charset=utf-8'])
})

it('reports that take too long are refused', async () => {
  const { rig, task } = await compared()
  await expect(reportsOf(rig, { megabytes: 512, ms: 0 }).make(task)).rejects.toMatchObject({ code: 'report_too_large' })
})

it('reports on a run that was removed meanwhile are refused', async () => {
  const { rig, task } = await compared()
  const gone = { ...task, subject: { ...task.subject, runs: ['r_00000000'] } } as unknown as typeof task
  await expect(reportsOf(rig).make(gone)).rejects.toMatchObject({ code: 'not_found' })
})
