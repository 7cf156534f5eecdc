/** A tool that no product file knows, with a metric of its own: two registrations, and any feature can measure with it. */
import { allBenchmarks, formatMetric, metricOf } from '@expresslane/shared/features/metrics'
import { runReport } from '@expresslane/shared/report/build'
import { report as reportSchema } from '@expresslane/shared/report/model'
import { reportPieces, type ReportFormat } from '@expresslane/shared/report/file'
import { METRIC, napLoop, TOOL } from '@expresslane/shared/test/features/naps'
import { tools } from '@expresslane/shared/tools/registry'
import { afterAll, expect, it } from 'vitest'
import { runners } from '../../src/tools/registry.ts'
import { beginSession, openRig } from '../support/deps.ts'
import { perform, planOf } from '../support/runs/experiments.ts'

/** A registration for each existing file that the tool is added to; its metric comes with it. */
const registrations = [
  tools.register(napLoop),
  runners.register({
    [TOOL]: async ({ arm, seconds, repeat }, { now, emit }) => {
      const values = { [METRIC]: (arm === 'on' ? 20 : 2) + (repeat % 2) }
      emit({ type: 'sample.taken', repeat, sample: { atSeconds: 0.5, seconds: null, omitted: false, values } })
      return { startedAt: now(), elapsedSeconds: seconds, values, after: null }
    },
  }),
]
for (const unregister of registrations) afterAll(unregister)

it('is registered in two places', () => {
  expect(registrations).toHaveLength(2)
  expect(allBenchmarks().map(({ tool }) => tool)).toContain(TOOL)
})

it('brings a metric whose direction, format and axis follow from its type and unit', () => {
  expect(metricOf(METRIC)).toMatchObject({
    better: 'more',
    noun: 'naps',
    short: 'Naps',
    axis: { unit: 'naps a minute' },
  })
  expect(formatMetric(METRIC, 22)).toBe('22 naps a minute')
})

it('is run by the arms of another feature, and is in every report', async () => {
  const cases = [{ id: 'sofa', label: 'Sofa', family: 'ipv4', benchmark: { tool: TOOL, pillow: true } }]
  const rig = openRig()
  const run = await perform(rig, planOf({ order: 'interleaved', repeats: 4 }, { cases }))
  expect(run).toMatchObject({ state: 'completed', problem: null })
  expect(run.repeats.map(({ arm, measurement }) => [arm, measurement?.values[METRIC]])).toContainEqual(['on', 21])
  const session = await beginSession(rig.deps, 'bench')
  const report = runReport(session, { run, output: [] }, [], { labs: [], madeBy: 'Expresslane', now: 1 })
  const text = (format: ReportFormat): string => [...reportPieces(report, format)].join('')
  const [head = ''] = text('csv').split('\r\n')
  expect(head.split(',')).toEqual(expect.arrayContaining(['pillow', 'naps_per_minute']))
  for (const format of ['html', 'md'] as const) expect(text(format)).toContain('21 naps a minute')
  // The report's schema names no tool and no metric.
  const { runs } = reportSchema.parse(JSON.parse(text('json')))
  expect(JSON.stringify(runs)).toContain(`"${METRIC}":21`)
})
