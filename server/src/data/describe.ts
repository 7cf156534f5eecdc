/** The output of `npm run data`, in words. */
import type { MovedAside } from '@expresslane/shared/wire/data'
import { maxOf } from '@expresslane/shared/measure/extremes'
import { formatStorage } from '@expresslane/shared/measure/storage'
import { formatCount } from '@expresslane/shared/base/units'
import type { Pruned } from '../store/upkeep/prune.ts'
import type { Inventory } from '../store/upkeep/size.ts'

/** The figures that `info` shows, and `info --json` writes. */
export interface Info extends Inventory {
  readonly directory: string
  /** In bytes: the database's files. */
  readonly bytes: number
  /** The free bytes on its disk; null if the system does not say. */
  readonly freeBytes: number | null
  readonly damaged: readonly MovedAside[]
}

/** `1 run`, `1,200 runs`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)

export function describeInfo(info: Info): string[] {
  const { directory, bytes, freeBytes, runs, since, events, sessions, recordings, reclaimable, largest, damaged } = info
  const rows: [string, string][] = [
    ['Directory', directory],
    ['Database', `${formatStorage(bytes)}, of which \`vacuum\` would free ${formatStorage(reclaimable)}`],
    ['Free on its disk', freeBytes === null ? 'unknown' : formatStorage(freeBytes)],
    ['History', `${counted(runs, 'run')}${since === null ? '' : ` since ${day(since)}`}, ${counted(events, 'event')}`],
    ['Sessions', formatCount(sessions)],
    ['Imported recordings', formatCount(recordings)],
    ...damaged.map((one): [string, string] => ['Damaged database', `${one.file}, ${formatStorage(one.bytes)}`]),
  ]
  const width = maxOf(rows.map(([name]) => name.length))
  const lines = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`)
  if (largest.length === 0) return lines
  return [
    ...lines,
    '',
    'Sessions with the longest logs:',
    ...largest.map(
      (one) =>
        `  ${one.id}  ${formatStorage(one.bytes).padStart(8)}  ${counted(one.runs, 'run')}, ${counted(one.events, 'event')}, ${one.labId}`,
    ),
  ]
}

export function describePruned({ runs, events, sessions }: Pruned): string[] {
  if (runs === 0 && sessions === 0) return ['Nothing to prune.']
  return [
    `Pruned ${counted(runs, 'run')} with ${counted(events, 'event')}, and ${counted(sessions, 'empty session')}.`,
    'New runs use the space. To give it back to the disk: npm run data -- vacuum',
  ]
}
