/** `npm run house`: prints the measures of the house, and fails where a measure is worse than it was. */
import { measures } from './measures.mjs'

/** @typedef {import('./measures.mjs').Row} Row */

/** @param {Row} row */
function verdict({ value, bound, reached }) {
  if (value <= bound) return 'holds'
  return value <= reached ? `not yet (${reached} reached)` : `WORSE than ${reached}`
}

/**
 * @param {readonly Row[]} rows
 * @returns {string[]} the lines of a Markdown table
 */
export function table(rows) {
  const number = (/** @type {number} */ value) => value.toLocaleString('en')
  return [
    '| measure | now | bound | |',
    '|---|---|---|---|',
    ...rows.map(
      (row) =>
        `| ${row.measure} | ${number(row.value)}${row.unit === undefined ? '' : ` ${row.unit}`} | <= ${number(row.bound)} | ${verdict(row)} |`,
    ),
  ]
}

/** @param {Row} row */
export function isWorse({ value, bound, reached }) {
  return value > Math.max(bound, reached)
}

/**
 * @param {boolean} all whether to name the places behind each value
 * @param {(line: string) => void} print
 * @returns {boolean} whether no measure is worse than it was
 */
export function house(all, print) {
  const rows = measures()
  for (const line of table(rows)) print(line)
  for (const row of rows.filter((each) => (all ? each.value > each.bound : isWorse(each)))) {
    print(`\n${row.measure}:`)
    for (const place of row.found ?? []) print(`  ${place}`)
  }
  return !rows.some(isWorse)
}
