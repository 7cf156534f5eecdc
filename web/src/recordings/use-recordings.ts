/** The recordings on the server, and functions to import and remove them. */
import { importRecording, listRecordings, removeRecording } from '@expresslane/shared/wire/recordings'
import { call } from '../api/request.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TestbedChange } from '../api/queries.ts'

const queryKey = ['recordings']

export function useRecordings() {
  return useQuery({ queryKey, queryFn: () => call(listRecordings), staleTime: Infinity })
}

/** Imports and removes recordings. */
export function useRecordingChange({ move }: TestbedChange) {
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: async (file: File) => call(importRecording, { body: new Uint8Array(await file.arrayBuffer()) }),
    async onSuccess({ id }) {
      await client.invalidateQueries({ queryKey })
      // Selects the imported recording.
      move.mutate(id)
    },
  })
  const remove = useMutation({
    mutationFn: (id: string) => call(removeRecording, { params: { id } }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey }),
        client.invalidateQueries({ queryKey: ['testbed'] }),
        client.invalidateQueries({ queryKey: ['labs'] }),
      ]),
  })
  return { add, remove }
}
