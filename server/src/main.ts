/** Starts the server, and stops it on a signal. */
import { toLabError } from '@expresslane/shared/base/errors'
import { announce } from './announce.ts'
import { environmentOf } from './arguments.ts'
import { readConfig } from './config.ts'
import { endAnyway, onStopSignal, surviveClosedOutput } from './process.ts'
import { serve } from './serve.ts'

/** Signals closer together than this come from one key press. */
const SAME_SIGNAL_MS = 1000

function fail(error: unknown): never {
  const { message, remedy, remedyCommand, detail } = toLabError(error)
  const lines = [message, detail, remedy, remedyCommand].filter((line) => line !== null)
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(1)
}

async function main(): Promise<void> {
  // All files of this process are for its own user only.
  process.umask(0o077)
  const serving = await serve(readConfig(environmentOf(process.argv.slice(2), process.env)))
  let since: number | null = null
  const stop = (): void => {
    if (since !== null) {
      // A single Ctrl-C arrives twice, from the terminal and from npm. A second Ctrl-C later exits at once.
      if (performance.now() - since > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    since = performance.now()
    serving.stop().then(() => {
      endAnyway(serving.deps.left())
      process.exit(0)
    }, fail)
  }
  onStopSignal(stop)
  process.stdout.write(`${announce(serving, process.stdout.isTTY).join('\n')}\n`)
  // `npm start` does the rest of the set-up then.
  process.send?.('listening')
}

surviveClosedOutput()
main().catch(fail)
