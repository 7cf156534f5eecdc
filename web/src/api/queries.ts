/** Fetched data as TanStack queries. Streamed data is in the store. */
import { readData } from '@expresslane/shared/wire/data'
import { readMe } from '@expresslane/shared/wire/room'
import type { RunId, SessionId } from '@expresslane/shared/run/events'
import {
  chooseContext,
  getRun,
  listLabs,
  listRuns,
  listSessions,
  readOpinion,
  readSession,
  readTestbed,
  type LabsResponse,
  type RunsQuery,
  type RunsResponse,
  type TestbedView,
} from '@expresslane/shared/wire/protocol'
import { isOpen } from '@expresslane/shared/run/run-state'
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
import { askedLanguage } from '#language'
import { call, NetworkFailure } from './request.ts'
import { useLive, useStore } from './live.tsx'
import { withNewest } from './newest.ts'
import type { Store } from './store.ts'

/** Retries only when the server does not respond; an error response is final. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => error instanceof NetworkFailure && failures < 2,
        retryDelay: 500,
        // Fetching testbeds runs preflight, which must not happen because somebody switches windows during a measurement.
        refetchOnWindowFocus: false,
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
}

/** Who this page is for. */
export const useMe = () => useQuery({ queryKey: ['me'], queryFn: () => call(readMe), staleTime: Infinity })

/** Whether this page may change what everybody shares: contexts, recordings and profiles. False until that is known. */
export function useIsInstructor(): boolean {
  return useMe().data?.role === 'instructor'
}

/** The seconds that this page's runs can plan, but for a lab's own plan; null for any number, and until that is known. */
export function useMostSeconds(): number | null {
  return useMe().data?.mostSeconds ?? null
}

export const useLabs = () =>
  useQuery({ queryKey: ['labs'], queryFn: () => call(listLabs, { query: askedLanguage() }), staleTime: Infinity })

function openTestbed(store: Store, id: TestbedId, probe: boolean): Promise<TestbedView> {
  return call(readTestbed, { params: { id }, ...(probe && { query: { fresh: 'true' } }) }).then((view) => {
    store.openTestbed(view)
    return view
  })
}

/** How often a testbed is read again while the set-up still gets its tools. */
const COMING_MS = 5_000

function testbedQuery(store: Store, id: TestbedId) {
  return queryOptions({
    queryKey: ['testbed', id],
    queryFn: () => openTestbed(store, id, false),
    refetchInterval: ({ state }) => (state.data?.preflight.some(({ coming }) => coming) === true ? COMING_MS : false),
  })
}

/** Reads each testbed separately, and again when the component mounts: a slow one does not delay the others. */
export function useTestbeds(ids: readonly TestbedId[]) {
  const store = useStore()
  return useQueries({ queries: ids.map((id) => testbedQuery(store, id)) })
}

/** The testbeds as the server knows them, without reading them: null for a testbed that was not read yet. */
export function useKnownTestbeds(ids: readonly TestbedId[]): (TestbedView | null)[] {
  const store = useStore()
  const queries = useQueries({ queries: ids.map((id) => ({ ...testbedQuery(store, id), enabled: false })) })
  return queries.map(({ data }) => data ?? null)
}

/** One testbed as last read; reads it again when it has started or was rebuilt, or when it is now another cluster. */
export function useTestbed(id: TestbedId) {
  const query = useQuery({ ...testbedQuery(useStore(), id), staleTime: Infinity })
  const incarnation = useLive((snapshot) => snapshot.incarnations.get(id) ?? null)
  const { data, refetch } = query
  const isOutdated = incarnation !== null && data !== undefined && incarnation !== (data.facts?.incarnation ?? null)
  useEffect(() => {
    if (isOutdated) void refetch()
  }, [isOutdated, incarnation, refetch])
  return query
}

/** Runs the probes of a testbed again, or moves it to another context. */
export function useTestbedChange(id: TestbedId) {
  const store = useStore()
  const client = useQueryClient()
  const onSuccess = (view: TestbedView): void => {
    client.setQueryData(['testbed', id], view)
  }
  const probe = useMutation({ mutationFn: () => openTestbed(store, id, true), onSuccess })
  const move = useMutation({
    mutationFn: (context: string) => call(chooseContext, { params: { id }, body: { context } }),
    onSuccess(view) {
      store.moveTestbed(view)
      client.setQueryData(['testbed', view.id], view)
      // Replaces the testbed of the previous context.
      client.setQueryData<LabsResponse>(
        ['labs'],
        (now) => now && { ...now, testbeds: now.testbeds.map((one) => (one === id ? view.id : one)) },
      )
    },
  })
  return { probe, move }
}

export type TestbedChange = ReturnType<typeof useTestbedChange>

export const useSessions = () => useQuery({ queryKey: ['sessions'], queryFn: () => call(listSessions) })

export function useSession(id: SessionId) {
  const store = useStore()
  return useQuery({
    queryKey: ['session', id],
    queryFn: async () => {
      const view = await call(readSession, { params: { id } })
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
      const { run } = await call(getRun, { params: { id }, query: { events: 'false' } })
      store.openRun(run)
      return run
    },
  })
}

/** The latest second opinion on a run, live; null if there is none. Looks again when runs start or end, until one has completed. */
export function useOpinion(of: RunId) {
  const store = useStore()
  const query = useQuery({
    queryKey: ['opinion', of],
    queryFn: async () => {
      const { runId } = await call(readOpinion, { params: { id: of } })
      if (runId === null) return null
      const { run } = await call(getRun, { params: { id: runId }, query: { events: 'false' } })
      store.openRun(run)
      return run
    },
  })
  const turns = useLive((snapshot) => snapshot.turns)
  const id = query.data?.id ?? null
  const live = useLive((snapshot) => (id === null ? null : (snapshot.runs.get(id) ?? null)))
  const opinion = live ?? query.data ?? null
  const known = opinion !== null && (isOpen(opinion) || opinion.state === 'completed')
  const seen = useRef(turns)
  const { refetch } = query
  useEffect(() => {
    if (turns === seen.current) return
    seen.current = turns
    if (!known) void refetch()
  }, [turns, known, refetch])
  return { query, opinion }
}

export type RunsFilter = Omit<RunsQuery, 'before' | 'limit'>

/** The first page is short to load fast; further pages are long, for scrolling. */
const OLDER_RUNS = 200

type RunPages = InfiniteData<RunsResponse, RunId | null>

/** The history page by page, newest first. {@link refreshNewest} updates it without fetching every page again. */
export function useRuns(filter: RunsFilter) {
  return useInfiniteQuery({
    queryKey: ['runs', filter],
    queryFn: ({ pageParam }) =>
      call(listRuns, { query: { ...filter, ...(pageParam === null ? {} : { before: pageParam, limit: OLDER_RUNS }) } }),
    initialPageParam: null as RunId | null,
    getNextPageParam: (last) => last.next,
    staleTime: Infinity,
  })
}

/** Fetches only the newest page of each cached history: a history can have thousands of loaded runs. */
function refreshNewest(client: QueryClient): void {
  for (const [queryKey, kept] of client.getQueriesData<RunPages>({ queryKey: ['runs'] })) {
    if (kept === undefined) continue
    call(listRuns, { query: queryKey[1] as RunsFilter }).then(
      (newest) => client.setQueryData<RunPages>(queryKey, (now) => now && withNewest(now, newest)),
      () => client.invalidateQueries({ queryKey }),
    )
  }
}

/** Fetches data again that is outdated by a new server process, the start or end of a run, or an edited lab. */
export function useRefetchOnChange(): void {
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

/** The size of the history on the disk, and its problems: for instructors. Reads it again when the component mounts. */
export const useDataDirectory = () =>
  useQuery({
    queryKey: ['data'],
    queryFn: () => call(readData),
    enabled: useIsInstructor(),
  })
