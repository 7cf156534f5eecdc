/** `npm run bench -- calibrate`: how often the comparison sees a difference where there is none. */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openApp } from './app.ts'
import { collect } from './calibrate-collect.ts'

const kept = join(import.meta.dirname, '../../shared/test/fixtures/stats/aa-netns.jsonl')

/** @param argv what follows the bench's name @returns the exit code */
export async function calibrate(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      comparisons: { type: 'string', default: '200' },
      to: { type: 'string', default: kept },
    },
  })
  const app = await openApp()
  try {
    await collect(app, values.to, Number(values.comparisons))
  } finally {
    await app.close()
  }
  return 0
}
