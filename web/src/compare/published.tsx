import { i18n } from '@expresslane/shared/base/language'
import { changeOf, figureWords, sourceWords, type PublishedBeside } from '@expresslane/shared/compare/published'
import { formatNamed } from '@expresslane/shared/features/metrics'
import type { PublishedFigure } from '@expresslane/shared/features/published'
import { ratioAxis, type RatioAxis } from '@expresslane/shared/charts/draw/axis'
import { PublishedSwitch, RatioRow, RatioRows } from '../charts/ratio-rows.tsx'
import { formatInterval } from '../words/comparison.ts'

interface PublishedProps {
  beside: readonly PublishedBeside[]
  /** Sentences about the publication, which stand also without rows. */
  notes?: readonly string[]
  /** Shown without being asked for. */
  open?: boolean
}

/** Figures that others published next to your own, on demand; they do not affect a verdict. Nothing if there are none. */
export function Published({ beside, notes = [], open = false }: PublishedProps) {
  if (beside.length === 0 && notes.length === 0) return null
  const ratios = beside.flatMap(({ own, figures }) => [own, ...figures.map(({ ratio }) => ({ ratio, interval: null }))])
  return (
    <PublishedSwitch
      note={
        <>
          {notes.length > 0 && <p>{notes.join(' ')}</p>}
          <p>
            {i18n.t('These results were measured and published by others.')}{' '}
            {beside.length > 0 &&
              `${i18n.t('The chart shows ratios, because absolute figures from different machines can’t be compared.')} `}
            {i18n.t('They do not affect your verdict.')}
          </p>
        </>
      }
      ratios={ratios}
      open={open}
    >
      {(axis) => beside.map((one) => <Rows key={one.title} of={one} axis={axis} />)}
    </PublishedSwitch>
  )
}

/** Few enough figures of a change for a slide. */
const ON_A_SLIDE = 2

/** What others published, for a slide: the changes without the figures behind them. */
export function PublishedBrief({ beside }: { beside: readonly PublishedBeside[] }) {
  const shown = beside.map((of) => ({ ...of, figures: of.figures.slice(0, ON_A_SLIDE) }))
  const ratios = shown.flatMap(({ own, figures }) => [own, ...figures.map(({ ratio }) => ({ ratio, interval: null }))])
  return (
    <div>
      <h3 className="muted regular">{i18n.t('Published by others')}</h3>
      {shown.map((of) => (
        <Rows key={of.title} of={of} axis={ratioAxis(ratios)} brief />
      ))}
    </div>
  )
}

interface RowsProps {
  of: PublishedBeside
  axis: RatioAxis
  /** Leaves out absolute figures. */
  brief?: boolean
}

function Rows({ of: { title, own, figures }, axis, brief = false }: RowsProps) {
  const { metric, off, on, ratio, interval } = own
  const words = `${formatNamed(metric, off)} → ${formatNamed(metric, on)}; ${formatInterval(own) ?? i18n.t('no interval')}`
  return (
    <RatioRows label={i18n.t('{title}, published', { title })} title={title}>
      <RatioRow axis={axis} ratio={ratio} interval={interval} value={changeOf(ratio)} own>
        <strong>{i18n.t('Yours')}</strong>
        {!brief && <span>{words}</span>}
      </RatioRow>
      {figures.map((figure) => (
        <RatioRow
          key={figure.source + figure.setup}
          axis={axis}
          ratio={figure.ratio}
          interval={null}
          value={changeOf(figure.ratio)}
        >
          <Source of={figure} />
          {!brief && <span>{figureWords(figure, metric)}</span>}
        </RatioRow>
      ))}
    </RatioRows>
  )
}

function Source({ of }: { of: PublishedFigure }) {
  if (of.link === null) return <strong>{sourceWords(of)}</strong>
  return (
    <a href={of.link} target="_blank" rel="noreferrer">
      {sourceWords(of)}
    </a>
  )
}
