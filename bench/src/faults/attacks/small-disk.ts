/** A small disk: a tmpfs in a mount namespace, which a process holds and servers can be started in, one after the other. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PIECE = Buffer.alloc(64 * 1024)
const SMALL_PIECE = Buffer.alloc(4096)

export interface SmallDisk {
  /** The folder, as a server in the namespace sees it. */
  readonly folder: string
  /** The command that starts its arguments in the namespace. */
  readonly within: readonly string[]
  /** Takes all the space that is left. */
  fill(): Promise<void>
  close(): Promise<void>
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC'
}

/** @param megabytes its size */
export async function openSmallDisk(megabytes: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'expresslane-disk-'))
  // Only root can mount without a user namespace.
  const asUser = process.getuid?.() !== 0
  const rights = asUser ? ['--user', '--map-root-user'] : []
  // The holder ends with this process.
  const hold = `mount -t tmpfs -o size=${megabytes}m,mode=700 tmpfs "$0" && echo mounted && exec setpriv --pdeathsig KILL sleep infinity`
  const holder = spawn('unshare', [...rights, '--mount', 'sh', '-c', hold, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(holder, 'exit')
  const begun = await Promise.race([once(holder.stdout, 'data'), ended.then(() => null)])
  if (begun === null) throw new Error('a small disk can’t be mounted')
  const seen = join(`/proc/${holder.pid}/root`, folder)
  return {
    folder,
    within: ['nsenter', '-t', `${holder.pid}`, '-m', ...(asUser ? ['-U', '--preserve-credentials'] : [])],
    async fill() {
      const file = await open(join(seen, 'filler'), 'a')
      try {
        for (const piece of [PIECE, SMALL_PIECE]) {
          try {
            for (;;) await file.write(piece)
          } catch (error) {
            if (!isFull(error)) throw error
          }
        }
      } finally {
        await file.close()
      }
    },
    async close() {
      holder.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
