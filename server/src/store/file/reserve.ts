/** Space on the disk that is kept for the moment when it is full: taking somebody's access back must be stored then, too. */
import { randomBytes } from 'node:crypto'
import { appendFileSync, statfsSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { createPrivate } from './private.ts'

/** In bytes. Taking access back needs some 100 KB. */
const RESERVE_BYTES = 4 * 1024 * 1024
/**
 * The bytes of the reserve that are given back at once. A program that fills the disk takes them, and the rest stays.
 */
const PIECE_BYTES = 512 * 1024
/** The reserve is made where the disk has more free space than this, in bytes: otherwise the history needs the space. */
const ROOM_BYTES = 64 * 1024 * 1024

export interface Reserve {
  /** Gives a part of it back to the disk. @returns false if nothing is left */
  release(): boolean
  /** Makes it larger by a piece if the disk has room. @returns whether it is whole */
  restore(): boolean
}

/** @param roomBytes how much must be free on the disk to make it larger */
export function createReserve(dataDir: string, roomBytes = ROOM_BYTES): Reserve {
  const file = join(dataDir, 'reserve')
  const size = (): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0

  return {
    release() {
      const left = size()
      if (left === 0) return false
      truncateSync(file, Math.max(0, left - PIECE_BYTES))
      return true
    },
    restore() {
      if (size() >= RESERVE_BYTES) return true
      try {
        const { bavail, bsize } = statfsSync(dataDir)
        if (bavail * bsize < roomBytes) return false
        createPrivate(file)
        // Random, because some file systems compress.
        appendFileSync(file, randomBytes(PIECE_BYTES))
        return size() >= RESERVE_BYTES
      } catch {
        // The disk can be full or gone meanwhile. It is tried again.
        return false
      }
    },
  }
}
