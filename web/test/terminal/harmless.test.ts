// @vitest-environment happy-dom
/** Output that somebody hostile wrote only draws: it types nothing, and reaches nothing outside of the screen. */
import { seeded } from '@expresslane/shared/compare/stats/random'
import { Terminal } from '@xterm/xterm'
import { expect, test } from 'vitest'
import { makeHarmless, pasteable } from '../../src/terminal/harmless.ts'

function setUp() {
  const terminal = new Terminal({ allowProposedApi: true, logLevel: 'off' })
  const typed: string[] = []
  terminal.onData((text) => void typed.push(text))
  terminal.onBinary((text) => void typed.push(text))
  const written = (text: string | Uint8Array): Promise<void> =>
    new Promise((resolve) => {
      terminal.write(text, resolve)
    })
  return { terminal, typed, written }
}

/** Every report that xterm.js knows, from the manual of control sequences. */
const questions = [
  '\u0005',
  '\u001bZ',
  '\u001b[c',
  '\u001b[0c',
  '\u001b[>c',
  '\u001b[=c',
  '\u001b[5n',
  '\u001b[6n',
  '\u001b[?6n',
  '\u001b[4$p',
  '\u001b[?25$p',
  '\u001b[?2004$p',
  '\u001b[14t',
  '\u001b[16t',
  '\u001b[18t',
  '\u001b[20t',
  '\u001b[21t',
  '\u001bP$q"p\u001b\\',
  '\u001bP$qm\u001b\\',
  '\u001bP$q q\u001b\\',
  '\u001bP$q; rm -rf /\r\u001b\\',
  '\u001bP+q544e\u001b\\',
  '\u001b]4;1;?\u0007',
  '\u001b]10;?\u0007',
  '\u001b]11;?\u001b\\',
  '\u001b]12;?;?;?\u0007',
  '\u001b]52;c;?\u0007',
]

test('xterm.js itself answers', async () => {
  const { typed, written } = setUp()
  await written('\u001b[6n\u001b[c\u001bP$qm\u001b\\')
  expect(typed.join('')).toContain('\u001b[1;1R')
})

test.each(questions)('nothing answers %j', async (question) => {
  const { terminal, typed, written } = setUp()
  makeHarmless(terminal)
  await written(`${question}still here`)
  expect(typed).toEqual([])
  expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toContain('still here')
})

test('3,000 hostile outputs type nothing, and leave a screen that a reset mends', async () => {
  const { terminal, typed, written } = setUp()
  makeHarmless(terminal)
  const title = document.title
  const random = seeded(1)
  const whole = (below: number): number => Math.floor(random() * below)
  const bytes = (length: number): string => Buffer.from(Array.from({ length }, () => whole(256))).toString('latin1')
  const numbers = (): string => Array.from({ length: whole(6) }, () => whole(100_000)).join(';')
  const letter = (from: number, count: number): string => String.fromCodePoint(from + whole(count))
  const kinds: (() => string | Uint8Array)[] = [
    () => Buffer.from(bytes(whole(400)), 'latin1'),
    () => `\u001b[${['', '?', '>', '=', '!'][whole(5)]}${numbers()}${['', '$', ' ', '"'][whole(4)]}${letter(0x40, 63)}`,
    () => `\u001b]${whole(150)};${bytes(whole(200))}${['\u0007', '\u001b\\', ''][whole(3)]}`,
    () => `\u001b]52;c;${Buffer.from(bytes(30), 'latin1').toString('base64')}\u0007`,
    () => `\u001b]0;${bytes(20)}\u0007\u001b]2;${'title'.repeat(whole(2000))}\u001b\\`,
    () => `\u001b]8;;javascript:alert(1)\u0007press\u001b]8;;\u0007`,
    () => `\u001bP${letter(0x20, 16)}${letter(0x40, 63)}${bytes(whole(300))}\u001b\\`,
    () => `\u001bPq#0;2;0;0;0${'~'.repeat(whole(3000))}\u001b\\`,
    () => `\u001b${letter(0x20, 96)}`,
    () => `\u0007${'\u001b[?1049h\u001b[?1049l'.repeat(whole(20))}`,
    () => `${'\u0301'.repeat(whole(500))}${'\u001b[99999;99999H'.repeat(whole(50))}`,
    () => questions[whole(questions.length)] ?? '',
  ]
  for (let count = 0; count < 3000; count++) await written(kinds[count % kinds.length]?.() ?? '')
  expect(typed).toEqual([])
  expect(document.title).toBe(title)
  terminal.reset()
  await written('still here')
  expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('still here')
})

test('a text that is pasted ends no paste, and keeps its lines', () => {
  expect(pasteable('echo one\r\n\techo “two”\u001b[201~\u0003; reboot\u009b201~\n')).toBe(
    'echo one\r\n\techo “two”[201~; reboot201~\n',
  )
})
