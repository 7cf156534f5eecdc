/** The database's write lock, held by another real process. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface Lock {
  /** Resolves when the lock is free again. */
  release(): Promise<void>
}

/** Resolves when another process holds the lock. */
export async function lockedBy(dataDir: string): Promise<Lock> {
  const script = join(import.meta.dirname, 'lock-process.ts')
  const child = spawn(process.execPath, [script, join(dataDir, 'expresslane.db')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'close')
  await once(child.stdout, 'data')
  return {
    async release() {
      child.stdin.end()
      await ended
    },
  }
}
