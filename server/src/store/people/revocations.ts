/**
 * Access that was taken back. It is gone at once, and the database has it as soon as it takes writes: another process can have
 * locked it, or the disk can be full. Until then a file beside it keeps it, so that a restart lets nobody in again.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { epochMs, type EpochMs } from '@expresslane/shared/base/units'
import { z } from 'zod'
import { readPrivate, writePrivate } from '../file/private.ts'
import { storeProblem } from '../file/problems.ts'
import type { Reserve } from '../file/reserve.ts'
import { readJson } from '../json.ts'
import { inTransaction } from '../transaction.ts'
import type { Invitations } from './invitations.ts'
import type { Principals, Waiting } from './principals.ts'

const kept = z.array(z.tuple([z.string(), epochMs]))

export interface Revocations {
  /** Takes effect at once, in memory. @param ids of persons and of invitations */
  add(ids: readonly string[], at: EpochMs): void
  /** Stores the waiting revocations. Never throws. @returns whether nothing waits any more; else call it again later */
  settle(): boolean
  /** Makes a piece of the reserve again. @returns whether it is whole */
  restore(): boolean
}

interface Parts {
  readonly db: DatabaseSync
  readonly dataDir: string
  readonly waiting: Waiting
  readonly principals: Pick<Principals, 'remove'>
  readonly invitations: Pick<Invitations, 'revoke'>
  readonly reserve: Reserve
}

/** Begins with the revocations that an earlier process could not store. @throws LabError `data_exposed` */
export function createRevocations({ db, dataDir, waiting, principals, invitations, reserve }: Parts): Revocations {
  const file = join(dataDir, 'revoked')
  const textOf = (): string => JSON.stringify([...waiting])
  /** The text of the file; empty if there is none. */
  let inFile = ''

  function readFile(): Waiting {
    const text = readPrivate(file)
    return new Map(text === null ? [] : readJson(kept, text, file))
  }

  /** Gives the reserve back piece by piece while the disk is full. */
  function withReserve(work: () => void): void {
    for (;;) {
      try {
        work()
        return
      } catch (error) {
        if (storeProblem(dataDir, error)?.code !== 'data_full' || !reserve.release()) throw error
      }
    }
  }

  function storeAll(): void {
    inTransaction(db, () => {
      for (const [id, at] of waiting) {
        principals.remove(id, at)
        invitations.revoke(id, at)
      }
    })
  }

  /** Another process may have added to it. */
  function dropFile(): void {
    if (![...readFile().keys()].every((id) => waiting.has(id))) return
    rmSync(file, { force: true })
    inFile = ''
  }

  function keepInFile(): void {
    const text = textOf()
    if (text === inFile) return
    withReserve(() => writePrivate(file, text))
    inFile = text
  }

  function settle(): boolean {
    if (waiting.size === 0) return true
    try {
      withReserve(storeAll)
      dropFile()
      waiting.clear()
      return true
    } catch {
      // The store has noted why, and says so on every page.
    }
    try {
      keepInFile()
    } catch {
      // Then it is in memory only, until the disk takes it.
    }
    return false
  }

  for (const [id, at] of readFile()) waiting.set(id, at)
  settle()

  return {
    add(ids, at) {
      for (const id of ids) waiting.set(id, at)
    },
    settle,
    restore: () => reserve.restore(),
  }
}
