/** Who drives a cluster that a workshop shares. */
import { driverResponse, type TestbedView } from '@expresslane/shared/wire/protocol'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLive } from './live.tsx'
import { post, request } from './request.ts'

const pathOf = (id: TestbedId): string => `/api/testbeds/${id}/driver`

/** Asks to drive, takes over where that is allowed, keeps driving, or gives it back. */
export function useDriving(id: TestbedId) {
  const client = useQueryClient()
  const onSuccess = ({ driver }: Pick<TestbedView, 'driver'>): void => {
    client.setQueryData<TestbedView>(['testbed', id], (now) => now && { ...now, driver })
  }
  const ask = useMutation({ mutationFn: () => post(driverResponse, pathOf(id)), onSuccess })
  const giveBack = useMutation({
    mutationFn: () => request(driverResponse, pathOf(id), { method: 'DELETE' }),
    onSuccess,
  })
  return { ask, giveBack }
}

/** Reads a cluster again when a run on it begins or ends, and when a message arrives: its driver can have changed. */
export function useFreshDriver(id: TestbedId): void {
  const client = useQueryClient()
  const holder = useLive((snapshot) => snapshot.holders.get(id) ?? null)
  const message = useLive((snapshot) => snapshot.message)
  const seen = useRef({ holder, message })
  useEffect(() => {
    if (holder === seen.current.holder && message === seen.current.message) return
    seen.current = { holder, message }
    void client.invalidateQueries({ queryKey: ['testbed', id] })
  }, [client, id, holder, message])
}
