/** Who drives a cluster that a workshop shares. */
import { askToDrive, stopDriving, type Driver } from '@expresslane/shared/wire/protocol'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { useMutation } from '@tanstack/react-query'
import { useLive } from './live.tsx'
import { call } from './request.ts'

/** How long the driver has to answer. The server decides; the page only says when to press again. */
export const ANSWER_MS = 60_000

/** Who drives each shared cluster; null before the server says, and outside workshops. */
export function useDrivers(): ReadonlyMap<TestbedId, Driver> | null {
  return useLive((snapshot) => snapshot.drivers)
}

/** Null while nobody drives; undefined before the server says, and outside workshops. */
export function useDriver(id: TestbedId): Driver | null | undefined {
  const drivers = useDrivers()
  return drivers === null ? undefined : (drivers.get(id) ?? null)
}

/** Asks to drive, takes over where that is allowed, keeps driving, or gives it back. The stream reports the change. */
export function useDriving(id: TestbedId) {
  const ask = useMutation({ mutationFn: () => call(askToDrive, { params: { id } }) })
  const giveBack = useMutation({ mutationFn: () => call(stopDriving, { params: { id } }) })
  return { ask, giveBack }
}
