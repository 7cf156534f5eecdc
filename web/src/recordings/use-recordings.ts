/** The recordings on the server, and functions to import and remove them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { http } from '../api/http.ts'
import type { TestbedChange } from '../api/queries.ts'

const queryKey = ['recordings']

export function useRecordings() {
  return useQuery({ queryKey, queryFn: http.recordings, staleTime: Infinity })
}

/** Imports and removes recordings. */
export function useRecordingChange({ move }: TestbedChange) {
  const client = useQueryClient()
  const add = useMutation({
    mutationFn: async (file: File) => http.importRecording(await file.text()),
    async onSuccess({ id }) {
      await client.invalidateQueries({ queryKey })
      // Selects the imported recording.
      move.mutate(id)
    },
  })
  const remove = useMutation({
    mutationFn: http.removeRecording,
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey }),
        client.invalidateQueries({ queryKey: ['testbed'] }),
        client.invalidateQueries({ queryKey: ['labs'] }),
      ]),
  })
  return { add, remove }
}
