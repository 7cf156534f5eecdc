/** What is fetched, as TanStack queries. What streams is in the store. */
import type { RunId, SessionId } from '@expresslane/shared/events'
import { QueryClient, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { http, NetworkFailure, type RunsAsked } from './http.ts'
import { useLive, useStore } from './live.tsx'

/** Only a silent server is asked again; an answer stays one. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => error instanceof NetworkFailure && failures < 2,
        retryDelay: 500,
        // Fetching testbeds runs preflight: never because someone switched windows during a measurement.
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
}

export const useLabs = () => useQuery({ queryKey: ['labs'], queryFn: http.labs, staleTime: Infinity })

/** @param fresh whether to read the testbeds anew when the component appears */
export function useTestbeds(fresh: boolean) {
  const store = useStore()
  return useQuery({
    queryKey: ['testbeds'],
    queryFn: async () => {
      const { turns } = store.snapshot()
      const { testbeds } = await http.testbeds()
      store.openTestbeds(testbeds, turns)
      return testbeds
    },
    staleTime: fresh ? 0 : Infinity,
  })
}

export const useSessions = () => useQuery({ queryKey: ['sessions'], queryFn: http.sessions })

export function useSession(id: SessionId) {
  const store = useStore()
  return useQuery({
    queryKey: ['session', id],
    queryFn: async () => {
      const view = await http.session(id)
      store.openSession(view)
      return view
    },
  })
}

export function useRun(id: RunId) {
  const store = useStore()
  return useQuery({
    queryKey: ['run', id],
    queryFn: async () => {
      const { run } = await http.run(id)
      store.openRun(run)
      return run
    },
  })
}

export type RunsFilter = Omit<RunsAsked, 'before'>

/** The history, a page at a time, newest first. */
export function useRuns(filter: RunsFilter) {
  return useInfiniteQuery({
    queryKey: ['runs', filter],
    queryFn: ({ pageParam }) => http.runs({ ...filter, ...(pageParam === null ? {} : { before: pageParam }) }),
    initialPageParam: null as RunId | null,
    getNextPageParam: (last) => last.next,
  })
}

/** Fetches again what a new server process, or a run's start or end, has made old. */
export function useRefetchOnNews(): void {
  const client = useQueryClient()
  const boots = useLive((snapshot) => snapshot.boots)
  const turns = useLive((snapshot) => snapshot.turns)
  const seen = useRef({ boots, turns })
  useEffect(() => {
    if (boots !== seen.current.boots) void client.invalidateQueries()
    else if (turns !== seen.current.turns) {
      void client.invalidateQueries({ queryKey: ['runs'] })
      void client.invalidateQueries({ queryKey: ['sessions'] })
    }
    seen.current = { boots, turns }
  }, [client, boots, turns])
}
