import { i18n } from '@expresslane/shared/base/language'
import type { Setting } from '@expresslane/shared/features/feature'
import { Fragment } from 'react'

/** The effect of each choice of a setting on a measurement; nothing for a setting that explains none. */
export function SettingExplained({ setting: { label, explained = [] } }: { setting: Setting }) {
  if (explained.length === 0) return null
  const setting =
    i18n.locale === 'en' ? label.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase()) : i18n.t(label)
  return (
    <details>
      <summary>{i18n.t('What the {setting} does to the result', { setting })}</summary>
      <dl className="stack tight">
        {explained.map(([term, does]) => (
          <Fragment key={term}>
            <dt className="strong">{i18n.t(term)}</dt>
            <dd className="muted">{i18n.t(does)}</dd>
          </Fragment>
        ))}
      </dl>
    </details>
  )
}
