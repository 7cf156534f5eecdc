/**
 * Closes testbeds that nobody uses: participants' testbeds keep processes and namespaces, and there can be as many
 * testbeds of recordings as there are files. The next use makes a new one.
 */
import { parseTestbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import { kinds } from '@expresslane/shared/testbed/kinds'
import type { Clock } from '../runs/clock.ts'
import type { Scheduler } from '../runs/coordination/scheduler.ts'
import type { Testbeds } from '../runs/testbeds.ts'
import type { Store } from '../store/open.ts'
import type { Presence } from './presence.ts'

export const LOOK_EVERY_MS = 30_000

export interface IdleParts {
  readonly testbeds: Testbeds
  readonly scheduler: Pick<Scheduler, 'release'>
  readonly store: Pick<Store, 'runs' | 'sessions'>
  readonly presence: Presence
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/**
 * Closes each testbed that has an owner once it had no run and no open page of its owner for `idleMs`, and that of each
 * recording once it had no run and no open page of anybody with a session on it. Other shared testbeds stay.
 *
 * @returns a function that stops watching
 */
export function closeIdleTestbeds(parts: IdleParts, idleMs: number): () => void {
  const { testbeds, scheduler, store, presence, clock, onError } = parts
  const usedAt = new Map<TestbedId, number>()
  let takeBack = (): void => {}

  /** The people whose pages can show the testbed. Null for a testbed that stays. */
  function usersOf(id: TestbedId): string[] | null {
    const { kind, owner } = parseTestbedId(id)
    if (kinds[kind].isRecorded) return store.sessions.ownersOn(id)
    return owner === null ? null : [owner]
  }

  function look(): void {
    const now = clock.now()
    const closable = testbeds.made().flatMap((id) => {
      const users = usersOf(id)
      return users === null ? [] : [{ id, users }]
    })
    const made = new Set(closable.map(({ id }) => id))
    for (const id of usedAt.keys()) if (!made.has(id)) usedAt.delete(id)
    const busy = new Set(store.runs.open().map(({ testbed }) => testbed))
    const isInUse = (id: TestbedId, users: readonly string[]): boolean =>
      busy.has(id) || users.some((user) => presence.isOnline(user))
    for (const { id, users } of closable) if (isInUse(id, users) || !usedAt.has(id)) usedAt.set(id, now)
    const idle = closable.filter(({ id }) => now - (usedAt.get(id) ?? now) >= idleMs)
    for (const { id } of idle) scheduler.release(id).catch(onError)
  }

  function again(): void {
    takeBack = clock.after(LOOK_EVERY_MS, () => {
      look()
      again()
    })
  }
  again()
  return () => takeBack()
}
