/** The parts that every other part of a server needs. */
import { destination, pino, type Logger } from 'pino'
import { clientAddress } from '../access/clients.ts'
import type { Key } from '../access/principal.ts'
import { withoutSecrets } from '../access/redact.ts'
import type { Config } from '../config.ts'
import type { LabCatalogue } from '../labs/catalogue.ts'
import type { Clock } from '../runs/clock.ts'
import type { FindLab } from '../runs/coordination/busy.ts'
import { currentRun } from '../runs/log/current-run.ts'

export interface Base {
  readonly config: Config
  readonly logger: Logger
  readonly clock: Clock
  readonly labs: LabCatalogue
  readonly findLab: FindLab
  /** Keys of the principals besides the owner of the link. */
  readonly guests: readonly Key[]
  /** True: the server takes over the queued runs of ended processes. False: a command ends after its own runs. */
  readonly adopts: boolean
  /** Called with errors that nobody waits for. */
  readonly onError: (error: unknown) => void
}

/** The logged parts of a request. */
interface LoggedRequest {
  readonly method: string
  readonly url: string
  readonly ip: string
}

/** Writes lines to the standard output, without secrets. */
export function createLogger(level: Config['logLevel']): Logger {
  // A terminal that was closed reads no more lines.
  const lines = destination(1).on('error', () => {})
  const serializers = {
    req: ({ method, url, ip }: LoggedRequest) => ({
      method,
      url: withoutSecrets(url),
      remoteAddress: clientAddress(ip),
    }),
  }
  // Each line that is written during a run names it.
  return pino({ level, mixin: currentRun, serializers }, lines)
}
