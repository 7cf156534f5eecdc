/** `npm run bench -- faults [--short] [NAME...] [--without NAME] [--seed N]`: breaks the server, and prints the results. */
import { seeded } from '@expresslane/shared/compare/stats/random'
import { printTable, type Row } from '../support/table.ts'
import type { Figure } from './figure.ts'
import { figures as everyFigure } from './figures.ts'
import { readOptions, repeatCommand, type Options } from './options.ts'

async function runFigure(figure: Figure, options: Options): Promise<Row> {
  const again = repeatCommand(figure.name, options)
  console.error(`${figure.name} ... seed ${options.seed}; to run it again: ${again}`)
  const row = await figure
    .run({ seed: options.seed, short: options.short, random: seeded(options.seed) })
    .catch((error: unknown): Row => {
      console.error(`${figure.name}:`, error)
      const [measured = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
      return { what: figure.name, bound: 'runs to its end', measured, how: 'it ended with an error', holds: false }
    })
  console.error(`${figure.name}: ${row.holds ? 'holds' : 'DOES NOT HOLD'}: ${row.measured}`)
  return { ...row, how: `${row.how}; \`${again}\`` }
}

/**
 * Runs figures: long figures beside the short ones, which follow each other.
 *
 * @returns the rows, in the figures' order
 */
export async function runFigures(figures: readonly Figure[], options: Options): Promise<Row[]> {
  const rows = new Map<Figure, Row>()
  const run = async (figure: Figure): Promise<void> => void rows.set(figure, await runFigure(figure, options))
  const beside = figures.filter((figure) => figure.beside === true).map(run)
  for (const figure of figures) if (figure.beside !== true) await run(figure)
  await Promise.all(beside)
  return figures.flatMap((figure) => rows.get(figure) ?? [])
}

/** Prints the table. @param write whether docs/measured.md gets its rows @returns the exit code: 1 when a figure does not hold, 2 for arguments that mean nothing */
export async function faults(args: readonly string[], write = false): Promise<number> {
  let options: Options
  try {
    options = readOptions(args)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    return 2
  }
  const { names, without } = options
  const unknown = [...names, ...without].filter((name) => !everyFigure.some((figure) => figure.name === name))
  if (unknown.length > 0) {
    const known = everyFigure.map(({ name }) => name).join(', ')
    console.error(`There is no figure named ${unknown.join(', ')}. Available: ${known}.`)
    return 2
  }
  const asked = everyFigure.filter(
    ({ name }) => (names.length === 0 || names.includes(name)) && !without.includes(name),
  )
  const missing = (figure: Figure): readonly string[] =>
    (figure.needs ?? []).filter((variable) => (process.env[variable] ?? '') === '')
  for (const figure of asked.filter((each) => missing(each).length > 0)) {
    console.error(`${figure.name}: skipped: ${missing(figure).join(' and ')} is not set`)
  }
  const ready = asked.filter((figure) => missing(figure).length === 0)
  const rows = await runFigures(ready, options)
  printTable(rows, write)
  const named = names.length > 0 && ready.length < asked.length
  return named || !rows.every((row) => row.holds) ? 1 : 0
}
