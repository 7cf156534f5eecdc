import type { LogLine } from '@expresslane/shared/run/run-state'
import { formatCount } from '@expresslane/shared/measure/units'
import { memo, useLayoutEffect, useRef, useState } from 'react'
import classes from './output-log.module.css'

/** The output of the tools in a run. Follows the latest line until the user scrolls up. */
export function OutputLog({ log, dropped }: { log: readonly LogLine[]; dropped: number }) {
  const box = useRef<HTMLDivElement>(null)
  const [following, setFollowing] = useState(true)

  useLayoutEffect(() => {
    const element = box.current
    if (following && element !== null) element.scrollTop = element.scrollHeight
  }, [log, following])

  const onScroll = (): void => {
    const element = box.current
    if (element === null) return
    setFollowing(element.scrollHeight - element.scrollTop - element.clientHeight < 32)
  }
  return (
    <section className={classes.output} aria-labelledby="output-title">
      <div className={classes.head}>
        <h3 id="output-title">Output</h3>
        {!following && (
          <button type="button" className={classes.expand} onClick={() => setFollowing(true)}>
            Go to the latest line
          </button>
        )}
      </div>
      <div
        ref={box}
        className={classes.box}
        role="log"
        aria-live="off"
        aria-label="Output"
        tabIndex={0}
        data-scroller
        onScroll={onScroll}
      >
        {dropped > 0 && <p className={classes.exit}>{dropped} earlier lines are in the history.</p>}
        {log.map((line) => (
          <Line key={line.seq} line={line} />
        ))}
      </div>
    </section>
  )
}

const Line = memo(function Line({ line }: { line: LogLine }) {
  if (line.kind === 'command') {
    return (
      <p className={classes.command}>
        <span className={classes.prompt}>{line.where} $ </span>
        {line.text}
      </p>
    )
  }
  return <p className={classes[line.kind]}>{line.text.length > LONG ? <LongText text={line.text} /> : line.text}</p>
})

/** `ip -j` prints everything on one line of thousands of characters. */
const LONG = 400

function LongText({ text }: { text: string }) {
  const [whole, setWhole] = useState(false)
  if (whole) return text
  return (
    <>
      {text.slice(0, LONG)}…{' '}
      <button type="button" className={classes.expand} onClick={() => setWhole(true)}>
        Show all {formatCount(text.length)} characters
      </button>
    </>
  )
}
