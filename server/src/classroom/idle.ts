/** Closes participants' testbeds that nobody uses: they keep processes and namespaces. The next use makes a new one. */
import { parseTestbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import type { Clock } from '../runs/clock.ts'
import type { Coordinator } from '../runs/coordination/coordinator.ts'
import type { Testbeds } from '../runs/testbeds.ts'
import type { Store } from '../store/open.ts'
import type { Presence } from './presence.ts'

export const LOOK_EVERY_MS = 30_000

export interface IdleParts {
  readonly testbeds: Testbeds
  readonly coordinator: Pick<Coordinator, 'release'>
  readonly store: Pick<Store, 'runs'>
  readonly presence: Presence
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/**
 * Closes each testbed that has an owner once it had no run and no open page of its owner for `idleMs`. Shared testbeds
 * stay.
 *
 * @returns a function that stops watching
 */
export function closeIdleTestbeds(parts: IdleParts, idleMs: number): () => void {
  const { testbeds, coordinator, store, presence, clock, onError } = parts
  const usedAt = new Map<TestbedId, number>()
  let takeBack = (): void => {}

  function isInUse(id: TestbedId, owner: string): boolean {
    return presence.isOnline(owner) || store.runs.open().some(({ testbed }) => testbed === id)
  }

  function look(): void {
    const now = clock.now()
    const owned = testbeds.made().flatMap((id) => {
      const { owner } = parseTestbedId(id)
      return owner === null ? [] : [{ id, owner }]
    })
    for (const id of usedAt.keys()) if (!owned.some((one) => one.id === id)) usedAt.delete(id)
    for (const { id, owner } of owned) if (isInUse(id, owner) || !usedAt.has(id)) usedAt.set(id, now)
    const idle = owned.filter(({ id }) => now - (usedAt.get(id) ?? now) >= idleMs)
    for (const { id } of idle) coordinator.release(id).catch(onError)
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
