/** A shell of a testbed, to type lines into. */
import { expect, onTestFinished } from 'vitest'
import type { Testbed } from '../../src/testbeds/testbed.ts'
import type { Terminal } from '../../src/testbeds/terminal.ts'
import { note } from '../contract/contract-kit.ts'

export interface Typed extends Terminal {
  output(): string
  /** Types a line, and resolves with the output up to a mark that follows it. */
  run(line: string): Promise<string>
}

/** Ends with the test. */
export async function terminalAt(namespace: string, on: Pick<Testbed, 'terminals'>): Promise<Typed> {
  let text = ''
  let marks = 0
  const terminal = await on.terminals?.open(
    { namespace, size: { rows: 24, columns: 200 }, onOutput: (bytes) => void (text += bytes.toString('utf8')) },
    note(),
  )
  if (terminal === undefined) throw new Error('there are no terminals')
  onTestFinished(() => terminal.end())
  return {
    ...terminal,
    output: () => text,
    async run(line) {
      marks += 1
      const [before, mark] = [text.length, `mark-${marks}-`]
      void terminal.write(Buffer.from(`${line}; echo ${mark}$?\n`))
      await expect.poll(() => new RegExp(`^${mark}\\d+`, 'm').test(text.slice(before))).toBe(true)
      return text.slice(before)
    },
  }
}
