import type { FamilySetting } from '@expresslane/shared/testbed/reading'
import { settingWords } from '../words/settings.ts'

/** What the settings were before Expresslane first changed them, and what they are meant to be now. */
export function KeptWords({ kept, now }: { kept: FamilySetting; now: FamilySetting | null }) {
  return (
    <p>
      Before Expresslane first changed BIG TCP here it was <strong>{settingWords(kept)}</strong>; now it is meant to be{' '}
      <strong>{now === null ? 'unknown, for it can’t be read' : settingWords(now)}</strong>. The earlier settings are
      kept until they are put back.
    </p>
  )
}
