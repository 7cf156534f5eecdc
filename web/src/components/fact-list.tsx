import { i18n } from '@expresslane/shared/base/language'
import { Fragment } from 'react'
import classes from './fact-list.module.css'

/** Names and values, two pairs per line if there is room; null is unknown. */
export function FactList({ facts }: { facts: readonly (readonly [string, string | null])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value ?? i18n.t('unknown')}</dd>
        </Fragment>
      ))}
    </dl>
  )
}
