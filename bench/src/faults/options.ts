/** The arguments of `npm run bench -- faults`. */
import { parseArgs } from 'node:util'

/** The same in every run that names no other seed, so that two runs can be compared. */
const DEFAULT_SEED = 1
/** The generator has 32 bits of state. */
const SEEDS = 2 ** 32

export interface Options {
  /** Empty: all figures. */
  readonly names: readonly string[]
  /** Figures to leave out. */
  readonly without: readonly string[]
  readonly short: boolean
  readonly seed: number
}

/** @throws Error for an option that does not exist, or a seed that is no number */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      short: { type: 'boolean', default: false },
      seed: { type: 'string', default: `${DEFAULT_SEED}` },
      without: { type: 'string', multiple: true, default: [] },
    },
  })
  const seed = Number(values.seed)
  if (!Number.isInteger(seed) || seed < 0 || seed >= SEEDS)
    throw new Error(`--seed ${values.seed}: not a number below 2^32`)
  return { names: positionals, without: values.without, short: values.short, seed }
}

/** The command that runs one figure again. */
export function repeatCommand(name: string, { short, seed }: Options): string {
  return `npm run bench -- faults ${name}${short ? ' --short' : ''} --seed ${seed}`
}
