/** Reads the labs before anything else starts: the labs of Expresslane here, an instructor's own in a worker thread. */
import type { FirstRead } from './labs/catalogue.ts'
import { createFolderReader, type LabFolder, type LabFolderConfig } from './labs/folder.ts'
import { PARSE_LIMITS, parseWith, parseWorker } from './labs/parse-apart.ts'
import { parseLab } from './labs/parse/parse.ts'
import type { Clock } from './runs/clock.ts'
import { kept } from './store/kept.ts'
import { createTaskWorker, type Limits } from './workers/task-worker.ts'

export interface ReadLabs extends FirstRead {
  /** Ends the reading that goes on, and refuses later readings. */
  close(reason: Error): void
}

/**
 * A hostile file takes no more time and memory than the limits, and becomes a problem of the catalogue.
 *
 * @param limits for each file
 */
export async function readLabs(
  folders: readonly LabFolderConfig[],
  clock: Clock,
  limits: Limits = PARSE_LIMITS,
): Promise<ReadLabs> {
  const worker = createTaskWorker(parseWorker, limits, clock)
  const read = createFolderReader(
    parseWith((file) => worker.run(file)),
    () => clock.now(),
  )
  // Ours are trusted. Starting the worker for them would take longer than to parse them.
  const readOurs = createFolderReader(
    async ({ id, text, name }) => kept(JSON.stringify([id, text, name]), () => parseLab(id, text, name)),
    // There is no limit to their time.
    () => 0,
  )
  const found: LabFolder[] = []
  for (const { origin, path } of folders) found.push(await (origin === 'own' ? read : readOurs)(path))
  return { folders: found, read, close: (reason) => worker.close(reason) }
}
