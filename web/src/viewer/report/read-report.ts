/** Reads reports as JSON, which the page and the server export, and results of `npm run lab -- LAB --json FILE`. Loaded with the first of them. */
import { LabError } from '@expresslane/shared/base/errors'
import { epochMs } from '@expresslane/shared/base/units'
import { i18n } from '@expresslane/shared/base/language'
import { report, type ReportComparison } from '@expresslane/shared/report/model'
import type { CaseComparison } from '@expresslane/shared/compare/comparison'
import { runId, sessionId, type RunId } from '@expresslane/shared/run/events'
import { labResult, type LabResult } from '@expresslane/shared/wire/headless'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import type { RepeatState } from '@expresslane/shared/run/run-state'
import type { z } from 'zod'
import { createReport, idOf, type OpenReport, type ReadRun, type ShownComparison } from './open-report.ts'

/** Checking it takes the page's own thread, for a second or two. A worker would save a third: its answer is copied. */
const MOST_BYTES = 32 * 1024 * 1024

function invalid(message: string, detail?: string): LabError {
  const remedy = i18n.t('Export it again, with the same version of Expresslane as this page, or open a recording.')
  return new LabError('recording_invalid', message, remedy, detail === undefined ? {} : { detail })
}

function parsed<T>(schema: z.ZodType<T>, bytes: Uint8Array): T {
  if (bytes.length > MOST_BYTES)
    throw invalid(i18n.t('This file is larger than {size} MB.', { size: MOST_BYTES / 1024 / 1024 }))
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    throw invalid(i18n.t('This file is not valid JSON.'), String(error))
  }
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const [first] = error.issues
  throw invalid(
    i18n.t('This report is not one that this page can read.'),
    first === undefined ? undefined : `${first.path.join('.')}: ${first.message}`,
  )
}

function caseComparisonOf({ case: of, comparison }: ReportComparison): CaseComparison {
  const { arm, against } = of ?? { arm: comparison.on.arm, against: comparison.off.arm }
  return { caseId: of?.id ?? null, arm, against, comparison }
}

/** @throws LabError `recording_invalid` */
export function readReport(bytes: Uint8Array): OpenReport {
  const { title, lab, madeBy, madeAt, runs, comparisons, published } = parsed(report, bytes)
  return createReport({
    id: idOf(madeAt, bytes),
    title,
    lab: lab?.id ?? runs[0]?.labId ?? '',
    question: lab?.question ?? null,
    made: { by: madeBy, at: madeAt },
    runs: runs.map(({ title: step, output, profiles = [], ...run }) => ({
      title: step,
      output,
      known: { ...run, profiles, comparisons: comparisons.filter((one) => one.runId === run.id).map(caseComparisonOf) },
    })),
    comparisons: comparisons.map(({ runId: run, opinion, ...one }) => ({
      ...one,
      run,
      opinion: opinion ?? null,
    })),
    published,
  })
}

/** A result has the measurements of an arm and a case together: their times give the order in which they were taken. */
function repeatsOf(arms: LabResult['arms'], inSteps: boolean): RepeatState[] {
  const repeats = arms.flatMap(({ id: arm, case: of, family, benchmark, measurements }) =>
    measurements.map(({ values, warmup, repeat, startedAt, elapsedSeconds, fingerprint }): RepeatState => {
      const head = { arm, caseId: inSteps ? null : of, family, benchmark, warmup, repeat }
      return {
        ...head,
        repeats: measurements.length,
        seconds: elapsedSeconds,
        instructionsPerMicrosecond: fingerprint?.instructionsPerMicrosecond ?? null,
        samples: [],
        measurement: { ...head, values, startedAt, elapsedSeconds, fingerprint },
      }
    }),
  )
  const startOf = ({ measurement }: RepeatState): number => measurement?.startedAt ?? 0
  return repeats.toSorted((a, b) => startOf(a) - startOf(b))
}

/** The steps behind a run, with the plan of an experiment. */
interface Group {
  readonly steps: readonly string[]
  readonly plan: ExperimentPlan | null
}

/** @throws LabError `recording_invalid` */
export function readResult(bytes: Uint8Array): OpenReport {
  const { lab, testbed, arms, comparisons, plans, exhibits, captures, opinions = [] } = parsed(labResult, bytes)
  const times = arms.flatMap(({ measurements }) => measurements.map(({ startedAt }) => startedAt))
  const began = times.reduce((least, time) => (time < least ? time : least), Number.MAX_SAFE_INTEGER)
  const at = times.length === 0 ? 0 : began
  const id = (place: number): RunId =>
    runId.parse(`r_${at.toString(36).padStart(9, '0')}${bytes.length.toString(36)}${place}`)
  /** Results, then steps that show something else. */
  const groups: Group[] = [
    ...plans.flatMap(({ steps, plan }): Group[] =>
      // A walk through steps measures each arm in a step of its own, and compares them in another.
      steps.length > 1 ? steps.map((step) => ({ steps: [step], plan: null })) : [{ steps, plan }],
    ),
    ...[...new Set([...exhibits, ...captures].map(({ step }) => step))]
      .filter((step) => plans.every(({ steps }) => !steps.includes(step)))
      .map((step) => ({ steps: [step], plan: null })),
  ]
  const session = sessionId.parse(`s_${at.toString(36).padStart(9, '0')}${bytes.length.toString(36)}`)
  const runs = groups.map(({ steps, plan }, place): ReadRun => {
    const repeats = repeatsOf(
      arms.filter(({ step }) => steps.includes(step)),
      plan === null,
    )
    const [first, last] = [repeats[0]?.measurement, repeats.at(-1)?.measurement]
    // Without a measurement nothing in the file has a time.
    const startedAt = first?.startedAt ?? epochMs.parse(at)
    return {
      title: steps.at(-1) ?? '',
      output: [],
      known: {
        id: id(place),
        sessionId: session,
        labId: lab,
        stepId: steps.at(-1) ?? '',
        incarnation: testbed.facts.incarnation,
        params: {},
        state: 'completed',
        startedAt,
        endedAt: last ? epochMs.parse(Math.round(last.startedAt + 1000 * last.elapsedSeconds)) : startedAt,
        facts: testbed.facts,
        plan,
        repeats,
        comparisons: comparisons.flatMap(({ step, ...one }) => (steps.includes(step) ? [one] : [])),
        profiles: [],
        capture: captures.flatMap(({ step, ...one }) => (steps.includes(step) ? [one] : []))[0] ?? null,
        exhibits: exhibits.flatMap(({ step, exhibit }) => (steps.includes(step) ? [exhibit] : [])),
        // Only a lab that completed has a result.
        outcome: { passed: true, sentence: i18n.t('The lab completed.'), observations: [], hint: null },
        problem: null,
      },
    }
  })
  const shown = comparisons.map(({ step, caseId, arm, comparison }): ShownComparison => {
    const place = groups.findIndex(({ steps }) => steps.includes(step))
    const label = groups[place]?.plan?.cases.find((one) => one.id === caseId)?.label
    const [on, off] = [i18n.t(comparison.on.name), i18n.t(comparison.off.name)]
    const opinion = opinions
      .find((one) => one.step === step)
      ?.comparisons.find((one) => one.caseId === caseId && one.arm === arm)
    return {
      title:
        label === undefined
          ? i18n.t('{on} vs. {off}', { on, off })
          : i18n.t('{benchmark}: {arm} vs. {baseline}', { benchmark: label, arm: on, baseline: off }),
      run: place < 0 ? null : id(place),
      comparison,
      differences: [],
      caution: null,
      opinion: opinion ?? null,
    }
  })
  return createReport({
    id: idOf(at, bytes),
    title: lab,
    lab,
    question: null,
    made: null,
    runs,
    comparisons: shown,
    published: [],
  })
}
