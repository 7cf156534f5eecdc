import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import type { DataResponse } from '@expresslane/shared/wire/data'
import { formatStorage } from '@expresslane/shared/measure/storage'
import { CommandBlock } from '../components/prose/command-block.tsx'
import { formatTime } from '../words/format.ts'
import classes from './store-size.module.css'

/** Sentences about the sessions that the server removes by itself. */
function keptFor({ days, bytes, recentDays, beginsAt }: DataResponse['keep']): string {
  if (days === null && bytes === null) return i18n.t('The server removes nothing from it by itself.')
  const size = bytes === null ? null : formatStorage(bytes)
  const removed =
    size === null
      ? i18n.t('Sessions that were not used for {days} days are removed.', { days })
      : days === null
        ? i18n.t('The oldest sessions are removed while the history takes over {size}.', { size })
        : i18n.t(
            'Sessions that were not used for {days} days are removed, and the oldest while the history takes over {size}.',
            { days, size },
          )
  const recent = size === null ? [] : i18n.t('Those of the last {recentDays} days stay.', { recentDays })
  const begins = beginsAt > Date.now() ? i18n.t('This begins on {time}.', { time: formatTime(beginsAt) }) : []
  return [removed, recent, begins].flat().join(' ')
}

/** The size of the history on the disk, the removal of old sessions, and the commands that make room. */
export function StoreSize({ data: { runs, since, bytes, freeBytes, directory, keep } }: { data: DataResponse }) {
  const held =
    since === null
      ? i18n.t('{runs, plural, one {# run} other {# runs}}', { runs })
      : i18n.t('{runs, plural, one {# run} other {# runs}} since {time}', { runs, time: formatTime(since) })
  const size = formatStorage(bytes)
  return (
    <section className={`${classes.size} muted`} aria-label={i18n.t('Size of the history')}>
      <p>
        {freeBytes === null
          ? i18n.t('{held}: {size} on the disk.', { held, size })
          : i18n.t('{held}: {size} on the disk, {free} free.', { held, size, free: formatStorage(freeBytes) })}
      </p>
      <p>{keptFor(keep)}</p>
      <details>
        <summary>{i18n.t('Make room, or make a copy')}</summary>
        <p>
          <Trans
            id="Run these where the server runs; it can go on meanwhile. The data is in <0>{directory}</0>: if you set EXPRESSLANE_DATA for the server, set it here, too."
            values={{ directory }}
            components={{ 0: <code className="break-anywhere" /> }}
          />
        </p>
        <CommandBlock
          note={i18n.t('Delete runs that ended more than 30 days ago')}
          text="npm run data -- prune --older-than 30d"
        />
        <CommandBlock note={i18n.t('Keep only the newest 1,000 runs')} text="npm run data -- prune --keep 1000" />
        <CommandBlock note={i18n.t('Then give the space back to the disk')} text="npm run data -- vacuum" />
        <CommandBlock
          note={i18n.t('Start the server so that it removes nothing by itself')}
          text="EXPRESSLANE_KEEP_DAYS=0 EXPRESSLANE_KEEP_MB=0 npm start"
        />
        <CommandBlock note={i18n.t('Copy everything into one file')} text="npm run data -- backup history.db" />
      </details>
    </section>
  )
}
