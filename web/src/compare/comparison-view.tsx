import { readable } from '@expresslane/shared/compare/sentences'
import { i18n } from '@expresslane/shared/base/language'
import { CONTROL_NAME } from '@expresslane/shared/compare/control'
import { capitalized } from '@expresslane/shared/features/words'
import { judgedWords } from '@expresslane/shared/report/words'
import type { Comparison } from '@expresslane/shared/compare/comparison'
import { comparisonChart } from '@expresslane/shared/charts/bars-chart'
import { formatCount, formatEffectSize } from '@expresslane/shared/base/units'
import { DownloadChart } from '../charts/download/download-chart.tsx'
import { pointed } from '../charts/choices.ts'
import { CompareBars } from '../charts/lazy.tsx'
import { armLook, type SideLooks } from '../theme.ts'
import { ComparisonTable } from './comparison-table.tsx'
import { driftWords, formatP, orderName, warmupWords } from '../words/comparison.ts'
import { FactList } from '../components/fact-list.tsx'
import { useChosen } from '../components/use-chosen.ts'
import { IntervalChart } from './interval-chart.tsx'
import { repeatId } from './repeats.ts'
import { SingleRepeat } from './single-repeat.tsx'
import { VerdictHeadline } from './verdict-headline.tsx'
import type { ReactNode } from 'react'

interface ComparisonViewProps {
  comparison: Comparison
  /** For arms of a larger experiment, and for two sides of the same arm. */
  looks?: SideLooks
  /** Figures that others published for the same change. */
  published?: ReactNode
  /** A warning to show with the verdict. */
  caution?: string | null
  /** An addition to the verdict, such as a second opinion. */
  beside?: ReactNode
}

/** A comparison of two arms: the verdict, every run, each interval, and how they were computed. */
export function ComparisonView({
  comparison: stored,
  looks,
  published = null,
  caution = null,
  beside = null,
}: ComparisonViewProps) {
  const comparison = readable(stored)
  const [chosen, choose] = useChosen('dot')
  const { off, on } = comparison
  const shown = looks ?? { off: armLook(off.arm, 0), on: armLook(on.arm, 1) }
  const hues = { off: shown.off.hue, on: shown.on.hue }
  const warmups = warmupWords(comparison)
  const judged = judgedWords(comparison)
  return (
    <section aria-labelledby="compared" className="stack apart">
      <h3 id="compared" className="hidden">
        {i18n.t('Before and after')}
      </h3>
      <VerdictHeadline comparison={stored} caution={caution} />
      {beside}
      <div>
        <p className="row">
          {(['off', 'on'] as const).map((side) => (
            <span key={side} data-hue={shown[side].hue} className="row tight">
              <span className="swatch" aria-hidden />
              {capitalized(comparison[side].name)}
            </span>
          ))}
        </p>
        <p className="muted">
          {i18n.t(
            'Bars show medians, dots show single repeats, and brackets show the 95 % interval of the difference.',
          )}
          {warmups !== null && ` ${warmups}`}
        </p>
      </div>
      <CompareBars
        comparison={comparison}
        hues={hues}
        attributesOf={(side, index) => pointed({ id: repeatId(side, index) }, chosen, choose)}
      />
      <SingleRepeat of={comparison} chosen={chosen} onChoose={choose} />
      <DownloadChart
        name="before-and-after"
        draw={(frame) =>
          comparisonChart(
            comparison,
            i18n.t('{on} vs. {off}', { on: capitalized(on.name), off: off.name }),
            frame,
            hues,
          )
        }
      />
      <IntervalChart comparison={comparison} />
      {published}
      <ComparisonTable comparison={comparison} />
      {judged !== '' && <p className="muted">{judged}</p>}
      <Computed comparison={comparison} warmups={warmups} />
    </section>
  )
}

/** Details to check or reproduce the result. */
function Computed({ comparison, warmups }: { comparison: Comparison; warmups: string | null }) {
  const { off, on, order, rows, control, seed, resamples, technical } = comparison
  const [main] = rows
  const effectSize = main?.effectSize ?? null
  return (
    <details>
      <summary>{i18n.t('How this was computed')}</summary>
      <p className="pretty">{technical}</p>
      <FactList
        facts={[
          [i18n.t('Repeats compared'), `${off.runs} ${off.name}, ${on.runs} ${on.name}`],
          [i18n.t('Warm-ups'), warmups ?? i18n.t('none')],
          [i18n.t('Order'), orderName(order)],
          [i18n.t('Drift {name}', { name: off.name }), driftWords(off)],
          [i18n.t('Drift {name}', { name: on.name }), driftWords(on)],
          [i18n.t('Two-sided rank test'), formatP(main?.p ?? null)],
          [
            i18n.t('Adjusted for all comparisons'),
            main === undefined || main.adjustedP === null ? null : formatP(main.adjustedP),
          ],
          [
            i18n.t('Judged'),
            control.method === 'none'
              ? i18n.t('by itself')
              : i18n.t('with {comparisons} comparisons: {method}', {
                  comparisons: control.comparisons,
                  method: i18n.t(CONTROL_NAME),
                }),
          ],
          [i18n.t('Cliff’s delta'), effectSize === null ? null : formatEffectSize(effectSize)],
          [
            i18n.t('Bootstrap'),
            i18n.t('{resamples} resamples, seed {seed}', { resamples: formatCount(resamples), seed }),
          ],
        ]}
      />
    </details>
  )
}
