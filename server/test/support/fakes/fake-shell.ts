/** A shell that the test speaks for. */
import type { Terminal, TerminalStart } from '../../../src/testbeds/terminal.ts'

export function fakeShell() {
  const closed = Promise.withResolvers<{ code: number | null; signal: string | null }>()
  const typed: string[] = []
  let start: TerminalStart | null = null
  const terminal: Terminal = {
    closed: closed.promise,
    write: (bytes) => void typed.push(Buffer.from(bytes).toString()),
    resize: () => {},
    async end() {
      closed.resolve({ code: null, signal: 'SIGKILL' })
      await closed.promise
    },
  }
  return {
    terminal,
    typed,
    opens(asked: TerminalStart) {
      start = asked
      return terminal
    },
    print: (text: string) => start?.onOutput(Buffer.from(text)),
    exit: (code: number) => closed.resolve({ code, signal: null }),
  }
}
