import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { http } from '../../api/http.ts'

/** The saved profiles, with functions to save and delete one. */
export function useProfiles() {
  const client = useQueryClient()
  const onSuccess = (): Promise<void> => client.invalidateQueries({ queryKey: ['profiles'] })
  const list = useQuery({ queryKey: ['profiles'], queryFn: http.profiles })
  const save = useMutation({ mutationFn: http.saveProfile, onSuccess })
  const forget = useMutation({ mutationFn: http.forgetProfile, onSuccess })
  return { list, save, forget }
}
