import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import type { Settings } from '@expresslane/shared/base/settings'
import { changeWords, settingWords } from '../words/settings.ts'

/** The original and current values of the settings that differ. */
export function KeptWords({ kept, now }: { kept: Settings; now: Settings | null }) {
  const promise = ` ${i18n.t('Expresslane keeps the original settings until you restore them.')}`
  if (now === null) {
    return (
      <p>
        <Trans
          id="The original settings were <0>{kept}</0>. The current settings are unknown because the path can’t be read."
          values={{ kept: settingWords(kept) }}
          components={{ 0: <strong /> }}
        />
        {promise}
      </p>
    )
  }
  const { was, is } = changeWords(kept, now)
  return (
    <p>
      <Trans
        id="Originally it had <0>{was}</0>, and now it has <1>{is}</1>."
        values={{ was, is }}
        components={{ 0: <strong />, 1: <strong /> }}
      />
      {promise}
    </p>
  )
}
