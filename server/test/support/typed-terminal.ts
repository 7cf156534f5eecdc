/** A terminal as a person uses it: they type a line, and read what it prints. */
import { expect, onTestFinished } from 'vitest'
import type { Terminal } from '../../src/testbeds/terminal.ts'
import type { Testbed } from '../../src/testbeds/testbed.ts'
import { note } from '../contract/contract-kit.ts'

export interface Typed extends Terminal {
  output(): string
  /** Types a line, and resolves with the output up to a mark that follows it. */
  run(line: string): Promise<string>
}

/** Opens a terminal that ends with the test. */
export async function openTyped(testbed: Pick<Testbed, 'terminals'>, namespace: string): Promise<Typed> {
  let text = ''
  let marks = 0
  const terminal = await testbed.terminals?.open(
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
      terminal.write(Buffer.from(`${line}; echo ${mark}$?\n`))
      await expect.poll(() => new RegExp(`^${mark}\\d+`, 'm').test(text.slice(before)), { timeout: 10_000 }).toBe(true)
      return text.slice(before)
    },
  }
}
