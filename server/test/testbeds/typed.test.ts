/** Commands to copy, held against a real shell: whatever a name contains, it stays one word and does nothing. */
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { typedLine } from '../../src/testbeds/typed.ts'

/** The words of each line as bash reads them. One bash reads all lines: to start it costs more than to read. */
function readBack(lines: readonly string[]): string[][] {
  const script = lines.map((line) => `set -- ${line}\nprintf '%s\\0' "$#" "$@"\n`).join('')
  const printed = execFileSync('bash', ['-s'], { encoding: 'utf8', input: script }).split('\0').slice(0, -1)
  const read: string[][] = []
  while (printed.length > 0) read.push(printed.splice(0, Number(printed.shift())))
  return read
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

test('each hostile word stays one word', () => {
  const commands = hostile.map((word) => ['kubectl', '--context', word, 'cluster-info'])
  expect(readBack(commands.map(typedLine))).toEqual(commands)
})

test('any words stay what they are, and nothing unseen is in the line', () => {
  const word = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0') && text.isWellFormed())
  const command = fc.array(word, { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(fc.array(command, { minLength: 10, maxLength: 20 }), (commands) => {
      const lines = commands.map(typedLine)
      for (const line of lines) expect(line).not.toMatch(/[^\P{Cc}\t\n]|[\p{Cf}\u2028\u2029]/u)
      expect(readBack(lines)).toEqual(commands)
    }),
    { numRuns: 20 },
  )
})
