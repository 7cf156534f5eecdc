import { i18n } from '@expresslane/shared/base/language'
import { statusWords } from '@expresslane/shared/run/exhibit-table'
import type { Exhibit } from '@expresslane/shared/run/exhibit'
import classes from './exhibits.module.css'

/** The first status that says that something is wrong. */
const ERRORS_FROM = 400

interface PageViewProps {
  of: Extract<Exhibit, { kind: 'page' }>
  brief: boolean
}

/** A page in a small window, as a browser got it: its text, never its markup. */
export function PageView({ of: { title, url, status, text }, brief }: PageViewProps) {
  const isGood = status !== null && status < ERRORS_FROM
  const [heading = '', ...others] = text.trim().split('\n')
  const rest = others.join('\n').trim()
  return (
    <figure className="stack tight container">
      <figcaption className="strong large">{title}</figcaption>
      <div className="surface" data-good={isGood} data-brief={brief}>
        <div className={`${classes.bar} row sunken`}>
          <span className={`${classes.buttons} fixed`} aria-hidden />
          <span className={`${classes.url} surface break-anywhere`}>
            <span className="hidden">{i18n.t('Address')}: </span>
            {url}
          </span>
          <span className={`${isGood ? 'good' : 'bad'} strong`}>{statusWords(status)}</span>
        </div>
        <div className={`${classes.page} ruled break-anywhere`}>
          <p className={status === null ? undefined : `${classes.heading} strong`}>{heading}</p>
          {rest !== '' && <p className="muted">{rest}</p>}
        </div>
      </div>
    </figure>
  )
}
