/** The worker that makes reports: it gets a task, and posts the file or the problem. */
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { LabError } from '@expresslane/shared/base/errors'
import { createEvents } from '../store/events.ts'
import { DATABASE } from '../store/file/damaged.ts'
import { Database } from '../store/file/database.ts'
import { makeReport, makeRoomReport, makeStepsReport, type ReportFile } from './make.ts'
import type { Made, ReportTask } from './make-apart.ts'

async function fileOf(task: ReportTask): Promise<ReportFile> {
  if ('room' in task) return makeRoomReport(task)
  if ('steps' in task) return makeStepsReport(task)
  const db = new Database(join(task.dataDir, DATABASE), task.dataDir)
  try {
    return await makeReport(createEvents(db), task)
  } finally {
    db.close()
  }
}

async function make(task: ReportTask): Promise<Made> {
  try {
    return { file: await fileOf(task) }
  } catch (error) {
    if (error instanceof LabError) return { problem: error.toProblem() }
    throw error
  }
}

// An error ends the worker, and the task with it.
parentPort?.on('message', (task: ReportTask) => {
  void make(task).then((made) => parentPort?.postMessage(made, []))
})
