import { i18n } from '@expresslane/shared/base/language'
import { armBars } from '@expresslane/shared/charts/bars'
import { barsChart } from '@expresslane/shared/charts/bars-chart'
import { heatMap } from '@expresslane/shared/charts/heat-map'
import { publishedBeside } from '@expresslane/shared/compare/published'
import { caseScale } from '@expresslane/shared/compare/case-scale'
import type { ComparedRow } from '@expresslane/shared/compare/comparison'
import { familyWords } from '@expresslane/shared/compare/control'
import { benchmarkKind, formatNamed, metricOf } from '@expresslane/shared/features/metrics'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { TestCase } from '@expresslane/shared/measure/experiment'
import { formatChange } from '@expresslane/shared/base/units'
import { resultOfRun, type Result } from '@expresslane/shared/run/result'
import { isOpen, type RunState } from '@expresslane/shared/run/run-state'
import { useMemo, type ReactNode } from 'react'
import { ChartView } from '../../charts/chart-view.tsx'
import { PublishedBrief, VerdictHeadline } from '../../compare/index.ts'
import {
  asksOpinion,
  experimentKind,
  ExperimentProgress,
  MainLines,
  OpinionLine,
  WhyLine,
} from '../../experiment/index.ts'
import classes from './slides.module.css'

interface ComparedSlideProps {
  lab: Lab
  run: RunState
  runs: readonly RunState[]
  /** Leaves out the other metrics. */
  brief: boolean
}

/** The space for charts. */
interface ChartSpace {
  dense: boolean
  /** Whether one chart takes the height that is left. */
  fills: boolean
}

/** More bars than these are drawn flatter, so that they fit on one slide. */
const MOST_TALL = 6

/** A comparison's verdict and bars, with the reason where there are profiles; several arms beside each other, or the map of a sweep. */
export function ComparedSlide({ lab, run, runs, brief }: ComparedSlideProps) {
  const result = useMemo(() => resultOfRun(run, runs, lab.arms), [run, runs, lab.arms])
  if (result === null) return null
  const running = isOpen(run)
  const [only] = result.comparisons
  const kind = experimentKind(result.plan)
  const { arms, cases } = result.plan
  const opinion = !brief && run.plan !== null && asksOpinion(run) ? <OpinionLine run={run} plan={run.plan} /> : null
  const space = {
    dense: arms.length * cases.length > MOST_TALL,
    fills: caseScale(result.plan) !== null || (kind !== 'sweep' && cases.length === 1),
  }
  const isAlone = running || brief || space.dense || kind === 'sweep'
  const published = isAlone ? [] : publishedBeside(lab.feature, result).slice(0, kind === 'pair' ? 1 : 3)
  return (
    <div className={`${classes.compared} stack container`} data-dense={space.dense} data-fills={space.fills}>
      {running && run.plan !== null && <ExperimentProgress plan={run.plan} run={run} />}
      {!running && kind === 'pair' && only !== undefined && (
        <VerdictHeadline comparison={only.comparison} caution={null} brief />
      )}
      {kind === 'pair' && opinion}
      <div className={classes.charts} data-beside={published.length > 0} data-pair={kind === 'pair'}>
        {!running && kind === 'sweep' ? (
          <Sweep result={result} opinion={opinion} />
        ) : (
          <Arms result={result} {...space} />
        )}
        {published.length > 0 && <PublishedBrief beside={published} />}
      </div>
      {kind === 'arms' && opinion}
      {!running &&
        !brief &&
        kind === 'pair' &&
        only !== undefined &&
        (result.profiles.length > 0 ? (
          <WhyLine result={result} />
        ) : (
          <OtherMetrics result={result} rows={only.comparison.rows} />
        ))}
    </div>
  )
}

interface SweepProps {
  result: Result
  /** In place of how the comparisons are judged: there is no space for both. */
  opinion: ReactNode
}

function Sweep({ result: { plan, comparisons }, opinion }: SweepProps) {
  const baseline = plan.arms[0]?.label
  const judged = familyWords(comparisons.map(({ comparison }) => comparison))
  return (
    <>
      <ChartView
        dense
        of={(frame) => heatMap(plan, comparisons, i18n.t('Compared with {baseline}', { baseline }), frame)}
      />
      {opinion ?? (judged !== null && <p className="muted pretty">{judged}</p>)}
    </>
  )
}

/** The main metric of every case: as lines if the cases differ by one number. */
function Arms({ result, ...space }: ChartSpace & { result: Result }) {
  if (caseScale(result.plan) !== null) return <MainLines result={result} fills={space.fills} />
  const taken = result.measurements.filter(({ warmup }) => !warmup)
  return result.plan.cases.map((one) => <CaseBars key={one.id} result={result} taken={taken} of={one} {...space} />)
}

interface CaseBarsProps extends ChartSpace {
  result: Result
  taken: Result['measurements']
  of: TestCase
}

function CaseBars({ result: { plan, comparisons }, taken, of, ...space }: CaseBarsProps) {
  const [metric] = benchmarkKind(of.benchmark, taken[0]?.values ?? {}).beside
  const bars = metric === undefined ? null : armBars(plan, of, metric, taken, comparisons)
  if (metric === undefined || bars === null) return null
  const { name, better } = metricOf(metric)
  return (
    <figure className={classes.case}>
      <figcaption className="muted">
        {plan.cases.length > 1 && `${of.label}: `}
        {better === 'less' ? i18n.t('{metric}, less is better', { metric: name }) : name}
      </figcaption>
      <ChartView {...space} of={(frame) => barsChart([bars], `${name}, ${of.label}`, frame)} />
    </figure>
  )
}

/** The other metrics that the benchmark is shown with, in figures. */
function OtherMetrics({ result: { plan, measurements }, rows }: { result: Result; rows: readonly ComparedRow[] }) {
  const [of] = plan.cases
  const [main] = rows
  if (of === undefined || main === undefined) return null
  const { beside } = benchmarkKind(of.benchmark, measurements[0]?.values ?? {})
  const others = rows.filter(({ metric }) => metric !== main.metric && beside.includes(metric))
  return (
    <dl className={`${classes.figures} row between top numbers`}>
      {others.map(({ metric, off, on, changePercent, role }) => (
        <div key={metric}>
          <dt>
            {role === 'exploratory'
              ? i18n.t('{metric} (exploratory)', { metric: metricOf(metric).name })
              : metricOf(metric).name}
          </dt>
          <dd className={`${classes.figure} strong no-wrap`}>
            {formatNamed(metric, off)} → {formatNamed(metric, on)}
          </dd>
          {role !== 'explains' && <dd className="strong">{formatChange(changePercent)}</dd>}
        </div>
      ))}
    </dl>
  )
}
