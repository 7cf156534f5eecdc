import type { Settings } from '@expresslane/shared/base/settings'
import { changeWords, settingWords } from '../words/settings.ts'

/** The original and current values of the settings that differ. */
export function KeptWords({ kept, now }: { kept: Settings; now: Settings | null }) {
  const promise = 'Expresslane keeps the original settings until you restore them.'
  if (now === null) {
    return (
      <p>
        The original settings were <strong>{settingWords(kept)}</strong>. The current settings are unknown because the
        path can’t be read. {promise}
      </p>
    )
  }
  const { was, is } = changeWords(kept, now)
  return (
    <p>
      Originally it had <strong>{was}</strong>, and now it has <strong>{is}</strong>. {promise}
    </p>
  )
}
