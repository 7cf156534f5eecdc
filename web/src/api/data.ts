/** What the history takes on the disk, and what is wrong with it: for instructors. */
import { readData } from '@expresslane/shared/wire/data'
import { useQuery } from '@tanstack/react-query'
import { useIsInstructor } from './queries.ts'
import { call } from './request.ts'

/** Reads it again when the component mounts. */
export const useDataDirectory = () =>
  useQuery({
    queryKey: ['data'],
    queryFn: () => call(readData),
    enabled: useIsInstructor(),
  })
