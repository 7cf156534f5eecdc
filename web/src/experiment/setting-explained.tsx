import type { Setting } from '@expresslane/shared/features/feature'
import { Fragment } from 'react'
import classes from './setting-explained.module.css'

/** What each choice of a setting does to a measurement; nothing for a setting that explains none. */
export function SettingExplained({ setting: { label, explained = [] } }: { setting: Setting }) {
  if (explained.length === 0) return null
  return (
    <details className={classes.explained}>
      <summary>What the {label.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())} does to the result</summary>
      <dl>
        {explained.map(([term, does]) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd>{does}</dd>
          </Fragment>
        ))}
      </dl>
    </details>
  )
}
