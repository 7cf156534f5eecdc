/** Runs of netperf that a person typed in a terminal, read from the terminal's output. They are no repeats. Pure. */

/** The figure that netperf prints for a run. */
export interface TypedRun {
  /** The line that was typed. */
  readonly command: string
  /** Transactions in a second, or 10^6 bits in a second. */
  readonly rate: number
  readonly unit: 'transactions/s' | 'Mbit/s'
}

/** Control sequences (ECMA-48) and operating system commands, which move the cursor and colour text. */
// eslint-disable-next-line no-control-regex -- a terminal's output has control characters, which are removed here
const sequences = /\u001b(\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(\u0007|\u001b\\)?|[@-Z\\-_])|\r|[^\u0008]\u0008/g
/** The shell's prompt ends with `#`; a line can also begin with the words of `ip netns exec`. */
const typed = /^\S+ \S+ # (.*\bnetperf\b.*)$/
const prompt = /^\S+ \S+ # /
/** A selected value (`-k`), and the last column of a line of the classic output. */
const selected = /^THROUGHPUT=([\d.]+)$/
const columns = /^\s*(?:\d+\s+){2,4}\d+\.\d+\s+([\d.]+)\s*$/

/** The rate in the output of one command; null if it did not end with a result. */
function rateIn(lines: readonly string[]): number | null {
  for (const line of lines) {
    const found = selected.exec(line)?.[1] ?? columns.exec(line)?.[1]
    if (found !== undefined) return Number(found)
  }
  return null
}

/** @param text the terminal's output as it came @returns the runs with a result, oldest first */
export function typedRuns(text: string): TypedRun[] {
  const lines = text.replaceAll(sequences, '').split('\n')
  return lines.flatMap((line, index): TypedRun[] => {
    const command = typed.exec(line)?.[1]
    if (command === undefined) return []
    const rest = lines.slice(index + 1)
    const next = rest.findIndex((one) => prompt.test(one))
    const rate = rateIn(next < 0 ? rest : rest.slice(0, next))
    if (rate === null) return []
    return [{ command, rate, unit: /-t\s*\w*(STREAM|MAERTS)/.test(command) ? 'Mbit/s' : 'transactions/s' }]
  })
}
