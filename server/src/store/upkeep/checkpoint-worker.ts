/** The worker that copies a database's write-ahead log into the database, can cut its file, and posts how much of it is left. */
import { DatabaseSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'
import { z } from 'zod'

/** SQLite only reuses the log's file once all of it is copied. Each pass copies the data written during the pass before. */
const PASSES = 20

const task = z.strictObject({ file: z.string(), cut: z.boolean() })
/** @see https://www.sqlite.org/pragma.html#pragma_wal_checkpoint */
const checkpointRow = z.object({ busy: z.number(), log: z.number(), checkpointed: z.number() })

/** PASSIVE makes nobody wait. @returns the number of pages that are not copied */
function copyLog(db: DatabaseSync): number {
  const pass = db.prepare('PRAGMA wal_checkpoint(PASSIVE)')
  let left = 0
  for (let number = 0; number < PASSES; number += 1) {
    const { busy, log, checkpointed } = checkpointRow.parse(pass.get())
    left = log - checkpointed
    // Busy: another process copies it.
    if (left === 0 || busy !== 0) break
  }
  return left
}

parentPort?.on('message', (message: unknown) => {
  const { file, cut } = task.parse(message)
  const db = new DatabaseSync(file)
  try {
    const left = copyLog(db)
    // Its file stays as large as it was until somebody writes. Without a timeout it waits for nobody.
    if (left === 0 && cut) db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    parentPort?.postMessage(left, [])
  } finally {
    db.close()
  }
})
