import { statusWords } from '@expresslane/shared/run/exhibit-table'
import type { Exhibit } from '@expresslane/shared/run/exhibit'
import classes from './page-view.module.css'

/** The first status that says that something is wrong. */
const ERRORS_FROM = 400

interface PageViewProps {
  of: Extract<Exhibit, { kind: 'page' }>
  brief: boolean
}

/** What a browser got, in a small window: its text, never its markup. */
export function PageView({ of: { title, url, status, text }, brief }: PageViewProps) {
  const isGood = status !== null && status < ERRORS_FROM
  const [heading = '', ...others] = text.trim().split('\n')
  const rest = others.join('\n').trim()
  return (
    <figure className={classes.figure}>
      <figcaption className={classes.title}>{title}</figcaption>
      <div className={classes.window} data-good={isGood} data-brief={brief}>
        <div className={classes.bar}>
          <span className={classes.buttons} aria-hidden />
          <span className={classes.url}>
            <span className="hidden">Address: </span>
            {url}
          </span>
          <span className={classes.status}>{statusWords(status)}</span>
        </div>
        <div className={classes.page}>
          <p className={status === null ? undefined : classes.heading}>{heading}</p>
          {rest !== '' && <p className={classes.rest}>{rest}</p>}
        </div>
      </div>
    </figure>
  )
}
