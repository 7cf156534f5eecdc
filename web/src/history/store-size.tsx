import type { DataResponse } from '@expresslane/shared/wire/data'
import { formatStorage } from '@expresslane/shared/measure/storage'
import { formatCount } from '@expresslane/shared/measure/units'
import { CommandBlock } from '../components/prose/command-block.tsx'
import { formatTime } from '../words/format.ts'
import classes from './store-size.module.css'

/** What the history takes on the disk, and the commands that make room. */
export function StoreSize({ data: { runs, since, bytes, freeBytes, directory } }: { data: DataResponse }) {
  const held = `${formatCount(runs)} ${runs === 1 ? 'run' : 'runs'}${since === null ? '' : ` since ${formatTime(since)}`}`
  return (
    <section className={classes.size} aria-label="Size of the history">
      <p>
        {held}: {formatStorage(bytes)} on the disk{freeBytes === null ? '' : `, ${formatStorage(freeBytes)} free`}.
      </p>
      <details>
        <summary>Make room, or make a copy</summary>
        <p>
          Run these where the server runs; it can go on meanwhile. The data is in{' '}
          <code className={classes.file}>{directory}</code>: if you set EXPRESSLANE_DATA for the server, set it here,
          too.
        </p>
        <CommandBlock
          note="Delete runs that ended more than 30 days ago"
          text="npm run data -- prune --older-than 30d"
        />
        <CommandBlock note="Keep only the newest 1,000 runs" text="npm run data -- prune --keep 1000" />
        <CommandBlock note="Then give the space back to the disk" text="npm run data -- vacuum" />
        <CommandBlock note="Copy everything into one file" text="npm run data -- backup history.db" />
      </details>
    </section>
  )
}
