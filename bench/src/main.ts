/**
 * The performance harness: `npm run bench [-- NAME ...]`. Ratios are taken within one run, because
 * absolute times on a shared machine say little. Exits with 1 when a bound does not hold.
 */
import { openApp } from './app.ts'
import { initialJavaScript } from './initial-javascript.ts'
import { labTime } from './lab-time.ts'
import { liveSample } from './live-sample.ts'
import { tpsRatio } from './tps-ratio.ts'
import { warmStart } from './warm-start.ts'
import { printTable, type Bench, type Row } from './table.ts'

const benches: Record<string, Bench> = {
  'initial-javascript': initialJavaScript,
  'warm-start': warmStart,
  'lab-time': labTime,
  'live-sample': liveSample,
  'tps-ratio': tpsRatio,
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in benches))
if (unknown.length > 0) {
  console.error(`No such bench: ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.`)
  process.exit(2)
}

const rows: Row[] = []
for (const [name, bench] of Object.entries(benches)) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.error(`${name} ...`)
  const app = await openApp()
  try {
    rows.push(await bench(app))
  } finally {
    await app.close()
  }
}
printTable(rows)
process.exitCode = rows.every((row) => row.holds) ? 0 : 1
