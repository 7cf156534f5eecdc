import type { Settings } from '@expresslane/shared/measure/settings'
import { settingWords } from '../words/settings.ts'

/** What the settings were before Expresslane first changed them, and what they are meant to be now. */
export function KeptWords({ kept, now }: { kept: Settings; now: Settings | null }) {
  return (
    <p>
      Before Expresslane first changed the settings here they were <strong>{settingWords(kept)}</strong>; now they are{' '}
      <strong>{now === null ? 'unknown, for the path can’t be read' : settingWords(now)}</strong>. The earlier settings
      are kept until they are put back.
    </p>
  )
}
