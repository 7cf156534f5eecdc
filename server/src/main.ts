/** Reads the environment, serves until it is told to stop, and leaves nothing behind. */
import { LabError, toLabError } from '@expresslane/shared/errors'
import { buildApp } from './app.ts'
import { readConfig, type Config } from './config.ts'
import { openDeps } from './deps.ts'
import { typedHost } from './security.ts'

function fail(error: unknown): never {
  const { message, remedy, remedyCommand, detail } = toLabError(error)
  const lines = [message, detail, remedy, remedyCommand].filter((line) => line !== null)
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(1)
}

function listenError(error: unknown, { host, port }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EADDRINUSE') {
    return new LabError(
      'config_invalid',
      `Something listens on ${host}:${port} already, perhaps another Expresslane.`,
      'Stop it, or choose another port.',
      { remedyCommand: `PORT=${port + 1} npm start`, cause: error },
    )
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return new LabError(
      'config_invalid',
      `Expresslane can't listen on ${host}:${port}.`,
      'Choose another HOST or PORT.',
      {
        detail: error instanceof Error ? error.message : String(error),
        cause: error,
      },
    )
  }
  return error
}

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const deps = openDeps(config)
  const { server, token } = await buildApp(deps)

  let stopping = false
  const stop = (): void => {
    if (stopping) process.exit(1)
    stopping = true
    deps.coordinator
      .close()
      .then(() => server.close())
      .then(() => deps.close())
      .then(() => process.exit(0), fail)
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)

  try {
    await server.listen({ host: config.host, port: config.port })
  } catch (error) {
    await deps.close()
    throw listenError(error, config)
  }
  const address = server.server.address()
  const port = address === null || typeof address === 'string' ? config.port : address.port
  process.stdout.write(`Expresslane is ready: http://${typedHost(config.host)}:${port}/open?token=${token}\n`)
}

main().catch(fail)
