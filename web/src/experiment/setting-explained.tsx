import { i18n } from '@expresslane/shared/base/language'
import type { Setting } from '@expresslane/shared/features/feature'
import { Fragment } from 'react'

/** The effect of each choice of a setting on a measurement; nothing for a setting that explains none. */
export function SettingExplained({ setting: { label, explained = [] } }: { setting: Setting }) {
  if (explained.length === 0) return null
  return (
    <details>
      <summary>
        {i18n.t('What the {value} does to the result', {
          value: label.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase()),
        })}
      </summary>
      <dl className="stack tight">
        {explained.map(([term, does]) => (
          <Fragment key={term}>
            <dt className="strong">{term}</dt>
            <dd className="muted">{does}</dd>
          </Fragment>
        ))}
      </dl>
    </details>
  )
}
