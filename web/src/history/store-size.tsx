import type { DataResponse } from '@expresslane/shared/wire/data'
import { formatStorage } from '@expresslane/shared/measure/storage'
import { formatCount } from '@expresslane/shared/base/units'
import { CommandBlock } from '../components/prose/command-block.tsx'
import { formatTime } from '../words/format.ts'
import classes from './store-size.module.css'

/** Sentences about the sessions that the server removes by itself. */
function keptFor({ days, bytes, recentDays, beginsAt }: DataResponse['keep']): string {
  if (days === null && bytes === null) return 'The server removes nothing from it by itself.'
  const recent = `Those of the last ${recentDays} days stay.`
  const begins = beginsAt > Date.now() ? ` This begins on ${formatTime(beginsAt)}.` : ''
  if (bytes === null) return `Sessions that were not used for ${days} days are removed.${begins}`
  const size = `while the history takes over ${formatStorage(bytes)}`
  if (days === null) return `The oldest sessions are removed ${size}. ${recent}${begins}`
  return `Sessions that were not used for ${days} days are removed, and the oldest ${size}. ${recent}${begins}`
}

/** The size of the history on the disk, the removal of old sessions, and the commands that make room. */
export function StoreSize({ data: { runs, since, bytes, freeBytes, directory, keep } }: { data: DataResponse }) {
  const held = `${formatCount(runs)} ${runs === 1 ? 'run' : 'runs'}${since === null ? '' : ` since ${formatTime(since)}`}`
  return (
    <section className={`${classes.size} muted`} aria-label="Size of the history">
      <p>
        {held}: {formatStorage(bytes)} on the disk{freeBytes === null ? '' : `, ${formatStorage(freeBytes)} free`}.
      </p>
      <p>{keptFor(keep)}</p>
      <details>
        <summary>Make room, or make a copy</summary>
        <p>
          Run these where the server runs; it can go on meanwhile. The data is in{' '}
          <code className="break-anywhere">{directory}</code>: if you set EXPRESSLANE_DATA for the server, set it here,
          too.
        </p>
        <CommandBlock
          note="Delete runs that ended more than 30 days ago"
          text="npm run data -- prune --older-than 30d"
        />
        <CommandBlock note="Keep only the newest 1,000 runs" text="npm run data -- prune --keep 1000" />
        <CommandBlock note="Then give the space back to the disk" text="npm run data -- vacuum" />
        <CommandBlock
          note="Start the server so that it removes nothing by itself"
          text="EXPRESSLANE_KEEP_DAYS=0 EXPRESSLANE_KEEP_MB=0 npm start"
        />
        <CommandBlock note="Copy everything into one file" text="npm run data -- backup history.db" />
      </details>
    </section>
  )
}
