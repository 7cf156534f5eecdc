import { beginSession } from '@expresslane/shared/wire/protocol'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { call } from '../api/request.ts'
import { addressOf } from './ways.ts'

/** Begins a session of a lab on a testbed, and opens it. */
export function useBegin(labId: string) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: (testbed: TestbedId) => call(beginSession, { body: { labId, testbed } }),
    onSuccess: ({ session }) => navigate(addressOf(session)),
  })
}

export type Begin = ReturnType<typeof useBegin>
