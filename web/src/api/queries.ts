/** What is fetched, as TanStack queries. What streams is in the store. */
import type { RunId, SessionId } from '@expresslane/shared/run/events'
import type { LabsResponse, RunsResponse, TestbedView } from '@expresslane/shared/wire/protocol'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import {
  QueryClient,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { http, NetworkFailure, type RunsAsked } from './http.ts'
import { useLive, useStore } from './live.tsx'
import { withNewest } from './newest.ts'
import type { Store } from './store.ts'

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

function readTestbed(store: Store, id: TestbedId, probe: boolean): Promise<TestbedView> {
  const { turns } = store.snapshot()
  return http.testbed(id, probe).then((view) => {
    store.openTestbed(view, turns)
    return view
  })
}

function testbedQuery(store: Store, id: TestbedId) {
  return queryOptions({
    queryKey: ['testbed', id],
    queryFn: () => readTestbed(store, id, false),
  })
}

/** Every testbed by itself, read anew when the component appears: none waits for another. */
export function useTestbeds(ids: readonly TestbedId[]) {
  const store = useStore()
  return useQueries({ queries: ids.map((id) => testbedQuery(store, id)) })
}

/** One testbed, as it was last read; anew where it has been built anew, or is another cluster, since. */
export function useTestbed(id: TestbedId) {
  const query = useQuery({ ...testbedQuery(useStore(), id), staleTime: Infinity })
  const incarnation = useLive((snapshot) => snapshot.incarnations.get(id) ?? null)
  const read = query.data?.facts?.incarnation ?? null
  const asked = useRef<string | null>(null)
  const { refetch } = query
  useEffect(() => {
    if (incarnation === null || read === null || incarnation === read || incarnation === asked.current) return
    // Once for each: an answer from before would be asked for over and over.
    asked.current = incarnation
    void refetch()
  }, [incarnation, read, refetch])
  return query
}

/** Reads one testbed with its probes, or moves it to another of its contexts. */
export function useTestbedChange(id: TestbedId) {
  const store = useStore()
  const client = useQueryClient()
  const onSuccess = (view: TestbedView): void => {
    client.setQueryData(['testbed', id], view)
  }
  const probe = useMutation({ mutationFn: () => readTestbed(store, id, true), onSuccess })
  const move = useMutation({
    mutationFn: (context: string) => http.moveTestbed(id, context),
    onSuccess(view) {
      store.moveTestbed(view)
      client.setQueryData(['testbed', view.id], view)
      // In the place of the one that was in use.
      client.setQueryData<LabsResponse>(
        ['labs'],
        (now) => now && { ...now, testbeds: now.testbeds.map((one) => (one === id ? view.id : one)) },
      )
    },
  })
  return { probe, move }
}

export type TestbedChange = ReturnType<typeof useTestbedChange>

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

export type RunsFilter = Omit<RunsAsked, 'before' | 'limit'>

/** The first page is there at once; who scrolls on wants many. */
const OLDER_RUNS = 200

type RunPages = InfiniteData<RunsResponse, RunId | null>

/** The history, a page at a time, newest first. News come by {@link refreshNewest}, not by fetching every page again. */
export function useRuns(filter: RunsFilter) {
  return useInfiniteQuery({
    queryKey: ['runs', filter],
    queryFn: ({ pageParam }) =>
      http.runs({ ...filter, ...(pageParam === null ? {} : { before: pageParam, limit: OLDER_RUNS }) }),
    initialPageParam: null as RunId | null,
    getNextPageParam: (last) => last.next,
    staleTime: Infinity,
  })
}

/** Fetches the newest page of each history that is kept: with thousands of lines open, the others stay as they are. */
function refreshNewest(client: QueryClient): void {
  for (const [queryKey, kept] of client.getQueriesData<RunPages>({ queryKey: ['runs'] })) {
    if (kept === undefined) continue
    http.runs(queryKey[1] as RunsFilter).then(
      (newest) => client.setQueryData<RunPages>(queryKey, (now) => now && withNewest(now, newest)),
      () => client.invalidateQueries({ queryKey }),
    )
  }
}

/** Fetches again what a new server process, a run's start or end, or an edited lab has made old. */
export function useRefetchOnNews(): void {
  const client = useQueryClient()
  const boots = useLive((snapshot) => snapshot.boots)
  const turns = useLive((snapshot) => snapshot.turns)
  const labsRevision = useLive((snapshot) => snapshot.labsRevision)
  const seen = useRef({ boots, turns, labsRevision })
  useEffect(() => {
    if (boots !== seen.current.boots) void client.invalidateQueries()
    else if (turns !== seen.current.turns) {
      refreshNewest(client)
      void client.invalidateQueries({ queryKey: ['sessions'] })
    }
    if (labsRevision !== seen.current.labsRevision) void client.invalidateQueries({ queryKey: ['labs'] })
    seen.current = { boots, turns, labsRevision }
  }, [client, boots, turns, labsRevision])
}
