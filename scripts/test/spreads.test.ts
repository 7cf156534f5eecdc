/** A call has at most about 120,000 arguments: data is never spread into one. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inRoot } from '../base/paths.mjs'

const takesData =
  /\b(Math\.(?:max|min|hypot)|String\.from(?:CharCode|CodePoint)|\w+\.(?:push|unshift|splice|concat))\(/g

/** The text between a call's parentheses. */
function argumentsAt(text: string, from: number): string {
  let depth = 1
  let at = from
  for (; at < text.length && depth > 0; at += 1)
    depth += '([{'.includes(text[at] ?? '') ? 1 : ')]}'.includes(text[at] ?? '') ? -1 : 0
  return text.slice(from, at - 1)
}

/** The text without inner parentheses, brackets and braces. */
function outermost(text: string): string {
  const inner = /[([{][^()[\]{}]*[)\]}]/g
  return inner.test(text) ? outermost(text.replaceAll(inner, '')) : text
}

function spreadsIn(text: string): string[] {
  return [...text.matchAll(takesData)].flatMap((found) => {
    const given = argumentsAt(text, found.index + found[0].length)
    return outermost(given).includes('...') ? [`${found[0]}${given})`] : []
  })
}

test('finds a spread of data in every such call', () => {
  const bad = [
    'Math.max(0, ...values)',
    'all.push(\n  ...more.map((one) => f(one)),\n)',
    'Math.min(...a.map(({ b }) => b))',
  ]
  for (const one of bad) expect(spreadsIn(one), one).toEqual([one])
  for (const one of ['Math.max(a, b)', 'all.push([...more])', 'all.push({ ...one })', 'maxOf([...a, ...b])']) {
    expect(spreadsIn(one), one).toEqual([])
  }
})

test('no data is spread into a call in the product', () => {
  const files = globSync('{shared,server,web}/src/**/*.{ts,tsx}', { cwd: inRoot('.') })
  expect(files.length).toBeGreaterThan(100)
  const found = files.flatMap((file) => spreadsIn(readFileSync(inRoot(file), 'utf8')).map((call) => `${file}: ${call}`))
  expect(found).toEqual([])
})
