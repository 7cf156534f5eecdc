/** The process's reaction to signals, to output that nobody reads, and to an end that takes too long. */

/** Ctrl-C, `kill`, and a terminal that was closed. */
const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Calls `stop` for each signal that asks the process to end. */
export function onStopSignal(stop: () => void): void {
  for (const signal of stopSignals) process.on(signal, stop)
}

/**
 * Goes on when a reader of the output has ended, such as `head` or a closed terminal. Without a listener the error of a
 * write ends the process, and with it all runs.
 */
export function surviveClosedOutput(): void {
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
}

/**
 * Ends the process although not all of it has ended, and says so. The next start, or the system, takes care of it.
 *
 * @param left the parts that did not end in time, named for people; does nothing if that is empty
 */
export function endAnyway(left: readonly string[]): void {
  if (left.length === 0) return
  const lines = left.map((one) => `- ${one}\n`).join('')
  process.stderr.write(`Expresslane stopped, but left what did not end in time:\n${lines}`)
  process.exit(1)
}
