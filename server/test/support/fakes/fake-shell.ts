/** A shell that the test speaks for. */
import type { Terminal, TerminalSize, TerminalStart } from '../../../src/testbeds/terminal.ts'

export function fakeShell() {
  const closed = Promise.withResolvers<{ code: number | null; signal: string | null }>()
  const typed: string[] = []
  const sizes: TerminalSize[] = []
  let start: TerminalStart | null = null
  const terminal: Terminal = {
    closed: closed.promise,
    async write(bytes) {
      typed.push(Buffer.from(bytes).toString())
    },
    resize: (size) => void sizes.push(size),
    async end() {
      closed.resolve({ code: null, signal: 'SIGKILL' })
      await closed.promise
    },
  }
  return {
    terminal,
    typed,
    sizes,
    opens(asked: TerminalStart) {
      start = asked
      return terminal
    },
    print: (text: string) => start?.onOutput(Buffer.from(text)),
    exit: (code: number) => closed.resolve({ code, signal: null }),
  }
}
