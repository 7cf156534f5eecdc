import { listProfiles, removeProfile, saveProfile, type Profile } from '@expresslane/shared/wire/profiles'
import { call } from '../../api/request.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

/** The saved profiles, with functions to save and delete a profile. */
export function useProfiles() {
  const client = useQueryClient()
  const onSuccess = (): Promise<void> => client.invalidateQueries({ queryKey: ['profiles'] })
  const list = useQuery({ queryKey: ['profiles'], queryFn: () => call(listProfiles) })
  const save = useMutation({ mutationFn: (body: Omit<Profile, 'savedAt'>) => call(saveProfile, { body }), onSuccess })
  const forget = useMutation({ mutationFn: (name: string) => call(removeProfile, { params: { name } }), onSuccess })
  return { list, save, forget }
}
