/** Commands to copy, held against a real shell: whatever a name contains, it stays one word and does nothing. */
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { typedLine } from '../../src/testbeds/typed.ts'

/** The words as bash reads the line. */
function readBack(line: string): string[] {
  return execFileSync('bash', ['-c', `printf '%s\\0' ${line}`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)
}

const hostile = [
  'kind-kind',
  '',
  ' ',
  '~',
  "it's",
  'a; rm -rf ~',
  '$(reboot)',
  '`reboot`',
  '"; reboot; "',
  "'; reboot; '",
  'a\nreboot\n',
  '-rf',
  '#',
  '!!',
  '*',
  String.raw`\'`,
  // Ends a bracketed paste, and presses Enter.
  '\u001B[201~\rreboot\r',
  // Shows the rest of the line from right to left.
  'a\u202Etoober ;',
  'zero\u200Bwidth',
  '集群-1',
]

test.each(hostile)('%j stays one word', (word) => {
  expect(readBack(typedLine(['kubectl', '--context', word, 'cluster-info']))).toEqual([
    'kubectl',
    '--context',
    word,
    'cluster-info',
  ])
})

test('any words stay what they are, and nothing unseen is in the line', () => {
  const word = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed())
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (words) => {
      const line = typedLine(words)
      expect(line).not.toMatch(/[^\P{Cc}\t\n]|[\p{Cf}\u2028\u2029]/u)
      expect(readBack(line)).toEqual(words)
    }),
    { numRuns: 200 },
  )
})
