/** Starts the server, and stops it on a signal. */
import { toLabError } from '@expresslane/shared/wire/errors'
import { announce } from './announce.ts'
import { environmentOf } from './arguments.ts'
import { readConfig } from './config.ts'
import { onStopSignal, surviveClosedOutput } from './process.ts'
import { serve } from './serve.ts'

/** Signals closer together than this come from one key press. */
const SAME_SIGNAL_MS = 1000

function fail(error: unknown): never {
  const { message, remedy, remedyCommand, detail } = toLabError(error)
  const lines = [message, detail, remedy, remedyCommand].filter((line) => line !== null)
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(1)
}

/** @param left what did not end in time: this process leaves it to the next start, or to its own system */
function exit(left: readonly string[]): never {
  if (left.length === 0) process.exit(0)
  process.stderr.write(
    `Expresslane stopped, but left what did not end in time:\n${left.map((one) => `- ${one}\n`).join('')}`,
  )
  process.exit(1)
}

async function main(): Promise<void> {
  // Whatever this process writes is for its own user only.
  process.umask(0o077)
  const serving = await serve(readConfig(environmentOf(process.argv.slice(2), process.env)))
  let since: number | null = null
  const stop = (): void => {
    if (since !== null) {
      // One Ctrl-C arrives twice, from the terminal and from npm. A second Ctrl-C later exits at once.
      if (performance.now() - since > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    since = performance.now()
    serving.stop().then(() => exit(serving.deps.left()), fail)
  }
  onStopSignal(stop)
  process.stdout.write(`${announce(serving, process.stdout.isTTY).join('\n')}\n`)
}

surviveClosedOutput()
main().catch(fail)
