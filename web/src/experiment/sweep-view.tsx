import type { CaseComparison } from '@expresslane/shared/compare/comparison'
import { familyWords } from '@expresslane/shared/compare/control'
import { benchmarkKind } from '@expresslane/shared/features/metrics'
import { isCounted } from '@expresslane/shared/measure/clock'
import type { ExperimentPlan } from '@expresslane/shared/measure/experiment'
import { useMemo, type ReactNode } from 'react'
import { heatMap } from '@expresslane/shared/report/charts/heat-map'
import { linesChart } from '@expresslane/shared/report/charts/lines-chart'
import { DownloadChart } from '../charts/download/download-chart.tsx'
import { HeatMap, HeatMapLegend } from '../charts/sweep/heat-map.tsx'
import { ArmLine, sharedAxis } from '../charts/sweep/lines.tsx'
import { capitalized } from '@expresslane/shared/features/words'
import type { ChosenCell } from './comparison-list.tsx'
import classes from './experiment-view.module.css'
import { sweepOf } from './kind.ts'
import { payoff, payoffRule, sweepLines } from './sweep.ts'

interface SweepViewProps {
  plan: ExperimentPlan
  comparisons: readonly CaseComparison[]
  chosen: ChosenCell | null
  onChoose: (chosen: ChosenCell) => void
  /** The comparisons as a table. */
  children: ReactNode
}

/** Arms by request sizes: the map, one line per size, and the highest arm that pays off. */
export function SweepView({ plan, comparisons, chosen, onChoose, children }: SweepViewProps) {
  const lines = useMemo(() => sweepLines(plan, comparisons), [plan, comparisons])
  const axis = useMemo(() => sharedAxis(lines), [lines])
  const baseline = plan.arms[0]?.label ?? 'the first'
  const noun = sweepOf(plan.arms)?.noun ?? 'arm'
  const judged = familyWords(comparisons.map(({ comparison }) => comparison))
  const [first] = plan.cases
  const main = comparisons[0]?.comparison.rows[0]?.metric ?? null
  const kind = first === undefined ? null : benchmarkKind(first.benchmark, {}, main !== null && isCounted(main))
  const title = `${capitalized(kind?.caption ?? '')} vs. ${baseline}`
  return (
    <>
      <section aria-labelledby="map" className={classes.case}>
        <h4 id="map" className={classes.heading}>
          {title}
        </h4>
        <HeatMap lines={lines} title={title} chosen={chosen} onChoose={(caseId, arm) => onChoose({ caseId, arm })} />
        <HeatMapLegend baseline={baseline} />
        {judged !== null && <p className={classes.note}>{judged}</p>}
        {comparisons.length > 0 && (
          <DownloadChart name="map" draw={(palette) => heatMap(plan, comparisons, title, palette)} />
        )}
      </section>
      {chosen === null ? (
        <details>
          <summary>Show as a table</summary>
          {children}
        </details>
      ) : (
        children
      )}
      {comparisons.length > 0 && (
        <section aria-labelledby="lines" className={classes.case}>
          <h4 id="lines" className={classes.heading}>
            Which {noun}s pay off?
          </h4>
          <div className={classes.lines}>
            {lines.map((line) => (
              <figure key={line.of.id}>
                <figcaption>
                  <strong>{line.of.label}</strong>
                  <span className={classes.payoff}>{payoff(line, noun).sentence}</span>
                </figcaption>
                <ArmLine line={line} axis={axis} />
              </figure>
            ))}
          </div>
          <p className={classes.note}>
            {payoffRule(noun)} Brackets show the 95 % intervals. The axis is logarithmic and the same for all sizes.
          </p>
          <DownloadChart
            name="lines"
            draw={(palette) =>
              linesChart(plan, comparisons, `Change compared with ${baseline}, one plot per size`, palette)
            }
          />
        </section>
      )}
    </>
  )
}
