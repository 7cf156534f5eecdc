import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import type { DataResponse } from '@expresslane/shared/wire/data'
import { formatStorage } from '@expresslane/shared/measure/storage'
import { Notice } from '../components/notice.tsx'
import { formatTime } from '../words/format.ts'
import classes from './store-size.module.css'

/** With less free space than this, a longer experiment may not fit. */
const LITTLE_BYTES = 500_000_000

/** Notices of a damaged database and of little space. A store that takes no writes is on every page already. */
export function DataNotices({ data: { problem, damaged, freeBytes } }: { data: DataResponse }) {
  const [latest, ...earlier] = damaged
  const isTight = problem === null && freeBytes !== null && freeBytes < LITTLE_BYTES
  if (latest === undefined && !isTight) return null
  return (
    <div className={`${classes.notices} stack`}>
      {latest !== undefined && (
        <Notice tone="warn" title={i18n.t('The history begins again: its database was damaged')}>
          <p>
            {i18n.t('On {time} the damaged file was moved aside. It is kept ({size}):', {
              time: formatTime(latest.at),
              size: formatStorage(latest.bytes),
            })}
          </p>
          <p>
            <code className="break-anywhere">{latest.file}</code>
          </p>
          {earlier.length > 0 && (
            <p>
              {i18n.t('{count, plural, one {One more} other {# more}} from earlier are beside it.', {
                count: earlier.length,
              })}
            </p>
          )}
          <p>
            <Trans
              id="<0>sqlite3 FILE .recover</0> may bring runs back. To end this message, move the file to another directory or delete it."
              components={{ 0: <code /> }}
            />
          </p>
        </Notice>
      )}
      {isTight && (
        <Notice tone="warn" title={i18n.t('Only {size} are free on the disk', { size: formatStorage(freeBytes) })}>
          <p>
            {i18n.t(
              'A run fails when the disk is full. Free some space, or prune the history: the History page shows how.',
            )}
          </p>
        </Notice>
      )}
    </div>
  )
}
