/** Runs commands on a testbed and records what they print as fixtures. */
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { typedLine } from '../../../src/testbeds/typed.ts'
import type { Target } from '../../../src/testbeds/target.ts'
import type { CallContext, Testbed } from '../../../src/testbeds/testbed.ts'
import { writeFixture, type Exit, type Line } from '../fixture.ts'

export interface Recorder {
  /**
   * Runs and records; `onLine` sees each line as it comes.
   *
   * @param typed what the fixture says was typed, where argv has more to it
   */
  record(
    name: string,
    target: Target,
    argv: readonly string[],
    onLine?: (line: Line) => Promise<void>,
    typed?: readonly string[],
  ): Promise<readonly Line[]>
  save(name: string, text: string): Promise<void>
}

export function createRecorder(testbed: Testbed, context: CallContext): Recorder {
  async function save(name: string, text: string): Promise<void> {
    const path = fileURLToPath(new URL(`../../fixtures/${name}.txt`, import.meta.url))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    process.stderr.write(`${name}\n`)
  }
  return {
    save,
    async record(name, target, argv, onLine = () => Promise.resolve(), typed = argv) {
      const lines: Line[] = []
      let exit: Exit | null = null
      for await (const item of testbed.exec(target, argv, context)) {
        if (item.type === 'exit') exit = item
        else {
          lines.push(item)
          await onLine(item)
        }
      }
      if (exit === null) throw new Error(`${name} has no exit`)
      const [program = '', ...rest] = typed
      await save(name, writeFixture(typedLine([basename(program), ...rest]), lines, exit))
      return lines
    },
  }
}
