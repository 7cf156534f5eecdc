import { expect, test } from 'vitest'
import { visibleWords } from '../../../src/tools/http/page.ts'

test('a reader of the page sees its words, and not its markup', () => {
  const html = [
    '<!doctype html>',
    '<html lang="en">',
    "<title>You've reached an IPv4-only page</title>",
    "<h1>You've reached an IPv4-only page</h1>",
    '<p>This server sees you as 10.99.0.2, port 40000.</p>',
    '</html>',
    '',
  ].join('\n')
  expect(visibleWords(html)).toBe("You've reached an IPv4-only page\nThis server sees you as 10.99.0.2, port 40000.")
})
