/** Provides the store to the page, and parts of its snapshot to components. */
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { TestbedHolder } from '@expresslane/shared/wire/protocol'
import { createContext, useContext, useSyncExternalStore } from 'react'
import type { FollowedPath } from './follow.ts'
import { connectStream } from './browser-stream.ts'
import type { LiveState } from './live-state.ts'
import { createStore, type Store } from './store.ts'
import type { Stream } from './stream.ts'

/** Creates a store with the browser's clocks. */
export function createPageStore(rewind: (seq: number) => void): Store {
  return createStore({
    now: () => performance.now(),
    date: () => Date.now(),
    schedule(callback, ms) {
      const timer = setTimeout(callback, ms)
      return () => clearTimeout(timer)
    },
    rewind,
  })
}

/** Creates the store of the page and connects it to the stream. */
export function connectStore(): Store {
  let stream: Stream | null = null
  const store = createPageStore((seq) => stream?.rewind(seq))
  connectStream(store, (created) => {
    stream = created
  })
  return store
}

export const StoreContext = createContext<Store | null>(null)

export function useStore(): Store {
  const store = useContext(StoreContext)
  if (store === null) throw new Error('StoreContext is missing')
  return store
}

/** A part of the snapshot; `select` must return an existing value and not create a new object. */
export function useLive<T>(select: (snapshot: LiveState) => T): T {
  const store = useStore()
  return useSyncExternalStore(store.subscribe, () => select(store.snapshot()))
}

/** The path as last read; null before the first reading. */
export function usePath(id: TestbedId): FollowedPath | null {
  return useLive((snapshot) => snapshot.paths.get(id) ?? null)
}

/** The run that uses a testbed; null while it is free, and for no testbed. */
export function useHolder(id: TestbedId | null): TestbedHolder | null {
  return useLive((snapshot) => (id === null ? null : (snapshot.holders.get(id) ?? null)))
}
