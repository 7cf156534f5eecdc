import { i18n } from '@expresslane/shared/base/language'
import type { Comparison, Verdict } from '@expresslane/shared/compare/comparison'
import { readable } from '@expresslane/shared/compare/sentences'
import { metricOf } from '@expresslane/shared/features/metrics'
import { formatChange } from '@expresslane/shared/base/units'
import { IconEqual, IconHelpCircle, IconTrendingDown, IconTrendingUp } from '../icons.tsx'
import { countWords, formatInterval, intervalName, verdictWord } from '../words/comparison.ts'
import classes from './verdict-headline.module.css'

const icons = {
  improved: IconTrendingUp,
  worse: IconTrendingDown,
  'no-difference': IconEqual,
  'too-few': IconHelpCircle,
}

/** The class of a verdict's colour. */
export const toneOf = { improved: 'good', worse: 'bad', 'no-difference': 'muted', 'too-few': 'warn' }

/** The verdict of one row: an icon and a word. */
export function VerdictMark({ verdict }: { verdict: Verdict }) {
  const Icon = icons[verdict]
  return (
    <span className={`${classes.mark} ${toneOf[verdict]} row tight one-line no-wrap medium`}>
      <Icon size={20} stroke={2} aria-hidden />
      {verdictWord(verdict)}
    </span>
  )
}

interface VerdictHeadlineProps {
  comparison: Comparison
  /** A warning to show with the verdict; null for none. */
  caution: string | null
  /** Leaves out the sentence, where the arms' figures are beside it. */
  brief?: boolean
}

/** The result in large type: the verdict, the change and its interval. */
export function VerdictHeadline({ comparison, caution, brief = false }: VerdictHeadlineProps) {
  const { verdict, rows } = comparison
  const Icon = icons[verdict]
  const [main] = rows
  const interval = main === undefined ? null : formatInterval(main)
  return (
    <div
      role="group"
      aria-label={i18n.t('Verdict')}
      className={`${classes.verdict} ${toneOf[verdict]} row`}
      data-brief={brief}
    >
      <p className={`${classes.word} row one-line`}>
        <Icon className={classes.icon} stroke={2} aria-hidden />
        {verdictWord(verdict)}
      </p>
      {main !== undefined && (
        <div className={classes.effect}>
          <p className={`${classes.change} numbers`}>
            <span className="no-wrap">{formatChange(main.changePercent)}</span>{' '}
            <span className={`${classes.unit} medium muted`}>{metricOf(main.metric).noun}</span>
          </p>
          <p className="large numbers">
            {interval === null ? i18n.t('too few repeats for an interval') : `${intervalName(comparison)} ${interval}`},{' '}
            {countWords(comparison)}
          </p>
        </div>
      )}
      {!brief && <p className={`${classes.below} large pretty`}>{readable(comparison).sentence}</p>}
      {caution !== null && <p className={`${classes.below} strong pretty`}>{caution}</p>}
    </div>
  )
}
