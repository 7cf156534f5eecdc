/** Reads the environment, serves until it is told to stop, and leaves nothing behind. */
import { toLabError } from '@expresslane/shared/errors'
import { readConfig } from './config.ts'
import { serve } from './serve.ts'

function fail(error: unknown): never {
  const { message, remedy, remedyCommand, detail } = toLabError(error)
  const lines = [message, detail, remedy, remedyCommand].filter((line) => line !== null)
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(1)
}

async function main(): Promise<void> {
  const serving = await serve(readConfig(process.env))
  let stopping = false
  const stop = (): void => {
    // Who asks twice does not want to wait.
    if (stopping) process.exit(1)
    stopping = true
    serving.stop().then(() => process.exit(0), fail)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  process.stdout.write(`Expresslane is ready: ${serving.link}\n`)
}

main().catch(fail)
