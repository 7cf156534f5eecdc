import { i18n } from '@expresslane/shared/base/language'
import type { CaseComparison } from '@expresslane/shared/compare/comparison'
import { familyWords } from '@expresslane/shared/compare/control'
import { benchmarkKind } from '@expresslane/shared/features/metrics'
import { isCounted } from '@expresslane/shared/measure/clock'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { useMemo, type ReactNode } from 'react'
import { heatMap } from '@expresslane/shared/charts/heat-map'
import { lineChart, linesChart, sweepAxis } from '@expresslane/shared/charts/lines-chart'
import { sweepLines } from '@expresslane/shared/charts/sweep'
import { ChartView } from '../charts/chart-view.tsx'
import { asButtons } from '../charts/choices.ts'
import { DownloadChart, SavedChart } from '../charts/download/download-chart.tsx'
import { sweepOf } from '@expresslane/shared/features/sweep'
import { capitalized } from '@expresslane/shared/features/words'
import classes from './experiment-view.module.css'
import { payoff, payoffRule } from './sweep.ts'

interface SweepViewProps {
  plan: ExperimentPlan
  comparisons: readonly CaseComparison[]
  /** The id of a cell. */
  chosen: string | null
  onChoose: (id: string) => void
  /** The comparisons as a table. */
  children: ReactNode
}

/** Arms by request sizes: the map, one line per size, and the highest arm that pays off. */
export function SweepView({ plan, comparisons, chosen, onChoose, children }: SweepViewProps) {
  const lines = useMemo(() => sweepLines(plan, comparisons), [plan, comparisons])
  const axis = useMemo(() => sweepAxis(lines), [lines])
  const baseline = plan.arms[0]?.label ?? i18n.t('the first')
  const noun = sweepOf(plan.arms)?.noun ?? 'arm'
  const judged = familyWords(comparisons.map(({ comparison }) => comparison))
  const [first] = plan.cases
  const main = comparisons[0]?.comparison.rows[0]?.metric ?? null
  const kind = first === undefined ? null : benchmarkKind(first.benchmark, {}, main !== null && isCounted(main))
  const title = i18n.t('{metric} vs. {baseline}', { metric: capitalized(kind?.caption ?? ''), baseline })
  return (
    <>
      <section aria-labelledby="map" className="stack">
        <h4 id="map" className="large">
          {title}
        </h4>
        <SavedChart
          name="map"
          of={(frame) => heatMap(plan, comparisons, title, frame)}
          choices={asButtons(chosen, onChoose)}
        />
        {judged !== null && <p className="muted readable">{judged}</p>}
      </section>
      {chosen === null ? (
        <details>
          <summary>{i18n.t('Show as a table')}</summary>
          {children}
        </details>
      ) : (
        children
      )}
      {comparisons.length > 0 && (
        <section aria-labelledby="lines" className="stack">
          <h4 id="lines" className="large">
            {i18n.t('Which {noun}s pay off?', { noun })}
          </h4>
          <div className={classes.lines}>
            {lines.map((line) => (
              <figure key={line.of.id}>
                <figcaption>
                  <strong>{line.of.label}</strong>
                  <span className="pretty">{payoff(line, noun).sentence}</span>
                </figcaption>
                <ChartView of={(frame) => lineChart(line, axis, frame)} />
              </figure>
            ))}
          </div>
          <p className="muted readable">
            {payoffRule(noun)}{' '}
            {i18n.t('Brackets show the 95 % intervals. The axis is logarithmic and the same for all sizes.')}
          </p>
          <DownloadChart
            name="lines"
            draw={(frame) =>
              linesChart(plan, comparisons, i18n.t('Ratio to {baseline}, one plot per size', { baseline }), frame)
            }
          />
        </section>
      )}
    </>
  )
}
