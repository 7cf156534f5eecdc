import { i18n } from '@expresslane/shared/base/language'
import { RESET_STEP, type RunId } from '@expresslane/shared/run/events'
import type { Lab } from '@expresslane/shared/labs/lab'
import { briefWords } from '@expresslane/shared/compare/brief'
import type { RunSummary } from '@expresslane/shared/wire/protocol'
import { benchmarkKind, formatMetric, metricOf } from '@expresslane/shared/features/metrics'
import { propertiesOf } from '@expresslane/shared/testbed/id'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, useCallback, useEffect, useLayoutEffect, useRef, useState, type RefCallback } from 'react'
import { Link } from 'react-router'
import { formatDay, formatTime, listed, testbedName } from '../words/format.ts'
import { lookOf, RunBadge } from '../components/run/run-badge.tsx'
import { RecordingMark } from '../recordings/index.ts'
import { lookAmong } from '../theme.ts'
import type { Line, ListedSession } from './lines.ts'
import classes from './runs-table.module.css'

interface RunsTableProps {
  lines: readonly Line[]
  labs: readonly Lab[]
  picked: readonly RunId[]
  onPick: (id: RunId) => void
  /** Called when the end of the list is near, to load more. */
  onEnd: () => void
}

/** The assumed height of a line before it is measured. */
const LINE_PX = 54
const lineHeight = (): number => LINE_PX
/** Lines to render outside the window on either side, for fast scrolling and the tab key. */
const BEYOND = 6
/** Loads more when this many lines are left, so that fast scrolling does not have to wait. */
const NEAR_END = 60

/**
 * A head per session and a line per run; runs with measurements can be selected. Narrow windows show cards. Renders only the visible lines,
 * between two spacers, so that ten thousand runs scroll smoothly.
 */
export function RunsTable({ lines: all, labs, picked, onPick, onEnd }: RunsTableProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [margin, setMargin] = useState(0)
  useLayoutEffect(() => {
    const top = body.current?.getBoundingClientRect().top
    if (top !== undefined) setMargin(Math.round(top + window.scrollY))
  }, [all])
  // A new function in each render would make the virtualizer compute all positions again.
  const keyOf = useCallback((index: number) => all[index]?.key ?? index, [all])
  const lines = useWindowVirtualizer({
    count: all.length,
    estimateSize: lineHeight,
    overscan: BEYOND,
    scrollMargin: margin,
    getItemKey: keyOf,
  })
  const shown = lines.getVirtualItems()
  const [first, last] = [shown[0], shown.at(-1)]
  const atEnd = last !== undefined && last.index >= all.length - NEAR_END
  useEffect(() => {
    if (atEnd) onEnd()
  }, [atEnd, onEnd])
  return (
    <table className={classes.table} aria-rowcount={all.length + 1}>
      <caption className="hidden">{i18n.t('Runs, newest first')}</caption>
      <thead>
        <tr aria-rowindex={1}>
          <th scope="col">
            <span className="hidden">{i18n.t('Select')}</span>
          </th>
          <th scope="col">{i18n.t('Step')}</th>
          <th scope="col">{i18n.t('Started')}</th>
          <th scope="col">{i18n.t('State')}</th>
          <th scope="col">{i18n.t('Measured')}</th>
        </tr>
      </thead>
      <tbody ref={body}>
        <Spacer height={(first?.start ?? margin) - margin} />
        {shown.map(({ index, key }) => {
          const line = all[index]
          if (line === undefined) return null
          const { head, run } = line
          const lab = labs.find(({ id }) => id === (head ?? run).labId) ?? null
          const place = { index, measure: lines.measureElement, lab }
          if (head !== undefined) return <Head key={key} {...place} session={head} />
          return <Row key={key} {...place} run={run} picked={picked.includes(run.id)} onPick={onPick} />
        })}
        <Spacer height={lines.getTotalSize() - (last === undefined ? 0 : last.end - margin)} />
      </tbody>
    </table>
  )
}

function Spacer({ height }: { height: number }) {
  if (height <= 0) return null
  return <tr aria-hidden className={classes.spacer} style={{ height }} />
}

interface LineProps {
  index: number
  measure: RefCallback<HTMLTableRowElement>
  lab: Lab | null
}

/** `BIG TCP over IPv4 · this machine · 26 Nov 2026, 13:40 · 12.4 % faster` */
const Head = memo(function Head({ index, measure, lab, session }: LineProps & { session: ListedSession }) {
  const { id, labId, testbed, createdAt, verdict } = session
  const title = lab?.title ?? labId
  const { isRecorded } = propertiesOf(testbed)
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2} className={classes.head}>
      <th scope="rowgroup" colSpan={5}>
        <div className="row baseline">
          {lab?.listed === true ? <Link to={`/labs/${labId}/sessions/${id}`}>{title}</Link> : title}
          {isRecorded && <RecordingMark />}
          <span className="muted break-anywhere">
            {[...(isRecorded ? [] : [testbedName(testbed)]), formatDay(createdAt)].join(' · ')}
          </span>
          {verdict !== null && <strong>{briefWords(verdict)}</strong>}
        </div>
      </th>
    </tr>
  )
})

interface RowProps extends LineProps {
  run: RunSummary
  picked: boolean
  onPick: (id: RunId) => void
}

const Row = memo(function Row({ index, measure, run, lab, picked, onPick }: RowProps) {
  const { id, stepId, measured, startedAt } = run
  const step = lab?.steps.find((one) => one.id === stepId)
  const name = stepId === RESET_STEP ? i18n.t('Reset') : (step?.title ?? stepId)
  return (
    <tr ref={measure} data-index={index} data-picked={picked} aria-rowindex={index + 2}>
      <td>
        {measured !== null && (
          <input
            type="checkbox"
            className={classes.pick}
            checked={picked}
            onChange={() => onPick(id)}
            aria-label={i18n.t('Select {name}, {time}, to compare', { name, time: formatTime(startedAt) })}
          />
        )}
      </td>
      <th scope="row">
        <Link to={`/runs/${id}`}>{name}</Link>
      </th>
      <td className="muted no-wrap">{formatTime(startedAt)}</td>
      <td>
        <RunBadge look={lookOf(run)} />
      </td>
      <td>{measured !== null && <Measured measured={measured} lab={lab} />}</td>
    </tr>
  )
})

interface MeasuredProps {
  measured: NonNullable<RunSummary['measured']>
  lab: Lab | null
}

function Measured({ measured, lab }: MeasuredProps) {
  const { arms, repeats, tool, values } = measured
  const [only] = arms
  const nameOf = (arm: string): string => lab?.arms.find(({ id }) => id === arm)?.label ?? arm
  const known = Object.entries(values).filter(([, value]) => value !== null)
  if (only === undefined || arms.length > 1 || known.length === 0) {
    return (
      <div className={classes.measured} data-hue="several">
        <strong>{i18n.t('{repeats} measurements', { repeats })}</strong>
        <span className={`${classes.lab} block muted`}>{listed(arms.map(nameOf))}</span>
      </div>
    )
  }
  const [main, ...others] = tool === null ? known.map(([id]) => id) : benchmarkKind({ tool }, values).brief
  const details = others.map((id) => {
    const value = values[id] ?? null
    return value === null ? i18n.t('{noun} unknown', { noun: metricOf(id).noun }) : metricOf(id).say(value)
  })
  return (
    <div className={classes.measured} data-hue={lookAmong(lab?.arms ?? [], only).hue}>
      <strong>{main === undefined ? '' : formatMetric(main, values[main] ?? null)}</strong>
      <span className={`${classes.lab} block muted`}>{[nameOf(only), ...details].join(', ')}</span>
    </div>
  )
}
