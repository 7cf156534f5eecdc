import { i18n } from '@expresslane/shared/base/language'
import type { LogLine, RunState } from '@expresslane/shared/run/run-state'
import { formatCount } from '@expresslane/shared/base/units'
import { memo, useLayoutEffect, useRef, useState } from 'react'
import classes from './output-log.module.css'
import { useEarlierLines } from './use-earlier-lines.ts'

/** The output of the tools in a run; nothing where there is none. */
export function OutputLog({ run }: { run: RunState }) {
  return run.log.length + run.logDropped === 0 ? null : <Output key={run.id} run={run} />
}

/** Lines out of sight are neither styled nor laid out, and a group costs less than each of its lines would. */
const GROUP = 50

/** Follows the latest line until the user scrolls up. Earlier lines are fetched on demand. */
function Output({ run }: { run: RunState }) {
  const box = useRef<HTMLDivElement>(null)
  /** How far the first line is from the end: it stays in its place when earlier lines come before it. */
  const fromEnd = useRef<number | null>(null)
  const [following, setFollowing] = useState(true)
  const { lines, earlier, fetching, error, fetchEarlier } = useEarlierLines(run)

  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    if (fromEnd.current !== null && !fetching) {
      element.scrollTop = element.scrollHeight - fromEnd.current
      fromEnd.current = null
    } else if (following) element.scrollTop = element.scrollHeight
  }, [lines, following, fetching])

  const onEarlier = (): void => {
    const element = box.current
    if (element !== null) fromEnd.current = element.scrollHeight - element.scrollTop
    setFollowing(false)
    fetchEarlier()
  }

  const onScroll = (): void => {
    const element = box.current
    if (element === null) return
    setFollowing(element.scrollHeight - element.scrollTop - element.clientHeight < 32)
  }
  return (
    <section className="stack tight" aria-labelledby="output-title">
      <div className={`${classes.head} row between`}>
        <h3 id="output-title" className="large">
          {i18n.t('Output')}
        </h3>
        {!following && (
          <button type="button" className={classes.expand} onClick={() => setFollowing(true)}>
            {i18n.t('Go to the latest line')}
          </button>
        )}
      </div>
      <div
        ref={box}
        className={`${classes.box} surface sunken mono`}
        role="log"
        aria-live="off"
        aria-label={i18n.t('Output')}
        tabIndex={0}
        data-scroller
        onScroll={onScroll}
      >
        {earlier > 0 && (
          <button type="button" className={classes.expand} onClick={onEarlier} disabled={fetching}>
            {fetching
              ? i18n.t('Loading earlier lines…')
              : i18n.t('Show earlier lines ({earlier} more)', { earlier: formatCount(earlier) })}
          </button>
        )}
        {error !== null && (
          <p className="bad" role="alert">
            {i18n.t('The earlier lines could not be loaded. Try again.')}
          </p>
        )}
        {[...Map.groupBy(lines, ({ seq }) => Math.floor(seq / GROUP))].map(([place, group]) => (
          <div key={place} style={{ containIntrinsicBlockSize: `auto ${group.length * 1.5}em` }}>
            {group.map((line) => (
              <Line key={line.seq} line={line} />
            ))}
          </div>
        ))}
      </div>
    </section>
  )
}

const Line = memo(function Line({ line }: { line: LogLine }) {
  if (line.kind === 'command') {
    return (
      <p className={`${classes.command} strong`}>
        <span className="muted regular">{line.where} $ </span>
        {line.text}
      </p>
    )
  }
  return <p className={looks[line.kind]}>{line.text.length > LONG ? <LongText text={line.text} /> : line.text}</p>
})

const looks = { stdout: undefined, stderr: 'bad', exit: 'warn', stopped: 'muted' }

/** `ip -j` prints everything on one line of thousands of characters. */
const LONG = 400

function LongText({ text }: { text: string }) {
  const [whole, setWhole] = useState(false)
  if (whole) return text
  return (
    <>
      {text.slice(0, LONG)}…{' '}
      <button type="button" className={classes.expand} onClick={() => setWhole(true)}>
        {i18n.t('Show all {count} characters', { count: formatCount(text.length) })}
      </button>
    </>
  )
}
