/** The arguments of `npm run data`. */
import { parseArgs } from 'node:util'
import { LabError } from '@expresslane/shared/base/errors'

const usage =
  'npm run data -- info [--json] | prune (--older-than 30d | --keep RUNS | --session ID) [--dry-run] | vacuum | backup FILE | link | verify FILE [--issuer did:key:...]'

export type DataArguments =
  | { readonly what: 'info'; readonly json: boolean }
  | { readonly what: 'prune'; readonly by: PruneBy; readonly dryRun: boolean }
  | { readonly what: 'vacuum' }
  | { readonly what: 'backup'; readonly file: string }
  | { readonly what: 'link' }
  | { readonly what: 'verify'; readonly file: string; readonly issuer: string | null }

export type PruneBy =
  | { readonly by: 'age'; readonly ms: number }
  | { readonly by: 'count'; readonly keep: number }
  | { readonly by: 'session'; readonly sessionId: string }

const HOUR_MS = 60 * 60_000
const UNITS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS }

function wrong(message: string): LabError {
  return new LabError('bad_request', message, `Usage: ${usage}`)
}

/** `30d`, `12h`, `4w`, in milliseconds. */
function readAge(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? []
  const ms = UNITS[unit]
  if (ms === undefined) throw wrong(`“${text}” is no age. Write hours, days or weeks: 12h, 30d or 4w.`)
  return Number(count) * ms
}

function readCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw wrong(`“${text}” is no number of runs.`)
  return Number(text)
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        json: { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
        'older-than': { type: 'string' },
        keep: { type: 'string' },
        session: { type: 'string' },
        issuer: { type: 'string' },
      },
    })
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
}

/** @throws LabError `bad_request` */
export function readDataArguments(argv: readonly string[]): DataArguments {
  const { values, positionals } = parse(argv)
  const [what, file, ...more] = positionals
  const { 'older-than': age, keep, session, issuer = null, json, 'dry-run': dryRun } = values
  const wishes: PruneBy[] = [
    ...(age === undefined ? [] : [{ by: 'age' as const, ms: readAge(age) }]),
    ...(keep === undefined ? [] : [{ by: 'count' as const, keep: readCount(keep) }]),
    ...(session === undefined ? [] : [{ by: 'session' as const, sessionId: session }]),
  ]
  if (more.length > 0 || (file !== undefined && what !== 'backup' && what !== 'verify'))
    throw wrong('There are too many arguments.')
  if (what !== 'prune' && (wishes.length > 0 || dryRun)) throw wrong('Only `prune` chooses runs.')
  if (what !== 'verify' && issuer !== null) throw wrong('Only `verify` requires an issuer.')
  if (what !== 'info' && json) throw wrong('Only `info` writes JSON.')
  switch (what) {
    case 'info':
      return { what, json }
    case 'vacuum':
    case 'link':
      return { what }
    case 'backup':
      if (file === undefined) throw wrong('`backup` needs the name of a new file.')
      return { what, file }
    case 'verify':
      if (file === undefined) throw wrong('`verify` needs the file of a signed record.')
      return { what, file, issuer }
    case 'prune': {
      const [by, ...others] = wishes
      if (by === undefined || others.length > 0) throw wrong('`prune` needs one of --older-than, --keep and --session.')
      return { what, by, dryRun }
    }
    case undefined:
      throw wrong('What to do is missing.')
    default:
      throw wrong(`“${what}” is not known.`)
  }
}
