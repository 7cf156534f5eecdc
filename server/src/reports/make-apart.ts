/** Makes reports in a worker thread, which reads the database itself: a report takes a processor for up to seconds. */
import { LabError, problem } from '@expresslane/shared/base/errors'
import { z } from 'zod'
import { createTaskWorker, type Limits } from '../workers/task-worker.ts'
import { tooLarge, type ReportFile, type RoomTask, type RunsTask, type StepsTask } from './make.ts'

const LIMITS: Limits = { megabytes: 512, ms: 30_000 }

export type ReportTask = (RunsTask & { readonly dataDir: string }) | RoomTask | StepsTask

const made = z.union([
  z.strictObject({
    file: z.strictObject({ name: z.string(), type: z.string(), gzip: z.instanceof(Uint8Array) }),
  }),
  z.strictObject({ problem }),
])
export type Made = z.infer<typeof made>

export interface Reports {
  /** @throws LabError `not_found`, `report_too_large`, and the errors of the store */
  make(task: Omit<RunsTask, 'madeBy' | 'now'>): Promise<ReportFile>
  /** Everybody's results, or where they got stuck. @throws LabError `report_too_large` */
  makeOfRoom(task: RoomTask | StepsTask): Promise<ReportFile>
  /** Ends the report that is being made. */
  close(): void
}

interface Parts {
  readonly dataDir: string
  readonly clock: { now(): number; after(ms: number, callback: () => void): () => void }
  /** Expresslane and its version. */
  readonly madeBy: string
  /** For tests. */
  readonly limits?: Limits
}

export function createReports({ dataDir, clock, madeBy, limits = LIMITS }: Parts): Reports {
  const worker = createTaskWorker(new URL('./report-worker.ts', import.meta.url), limits, clock)

  async function run(task: ReportTask): Promise<ReportFile> {
    const ended = await worker.run(task)
    if (ended.end !== 'answered') throw tooLarge()
    const answer = made.parse(ended.answer)
    if ('file' in answer) return answer.file
    const { code, message, remedy, detail } = answer.problem
    throw new LabError(code, message, remedy, detail === null ? {} : { detail })
  }

  return {
    make: (task) => run({ ...task, dataDir, madeBy, now: clock.now() }),
    makeOfRoom: run,
    close() {
      worker.close(new LabError('server_restarted', 'The server is stopping.', 'Export the report again.'))
    },
  }
}
