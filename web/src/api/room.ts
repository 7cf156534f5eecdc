/** The instructor's board: its HTTP API and its queries. Loaded with the board. */
import type { RunId } from '@expresslane/shared/run/events'
import { cancelRun, jumpQueue } from '@expresslane/shared/wire/protocol'
import {
  allowNetwork,
  downloadAudit,
  downloadResults,
  downloadRoomReport,
  downloadStatements,
  downloadSteps,
  downloadStepsReport,
  invite,
  listAudit,
  listInvitations,
  pauseQueue,
  readRoom,
  removeParticipant,
  revokeInvitation,
  sendMessage,
  setDoor,
  type MessageBody,
} from '@expresslane/shared/wire/board'
import type { GuestRole } from '@expresslane/shared/wire/room'
import type { Input } from '@expresslane/shared/wire/route'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLive } from './live.tsx'
import { addressOf, call } from './request.ts'

/** Where a browser downloads what the board exports. */
export const roomFile = {
  results: (lab: string) => addressOf(downloadResults, { query: { lab } }),
  report: (lab: string) => addressOf(downloadRoomReport, { query: { lab } }),
  stepsReport: (lab: string, named: boolean) => addressOf(downloadStepsReport, { query: { lab, names: `${named}` } }),
  steps: (lab: string, named: boolean) => addressOf(downloadSteps, { query: { lab, names: `${named}` } }),
  statements: (lab: string, named: boolean) => addressOf(downloadStatements, { query: { lab, names: `${named}` } }),
  audit: addressOf(downloadAudit),
}

/** The board as it is now: fetched again whenever the stream says that it changed. */
export function useRoom() {
  const client = useQueryClient()
  const revision = useLive((snapshot) => snapshot.roomRevision)
  const seen = useRef(revision)
  useEffect(() => {
    if (revision === seen.current) return
    seen.current = revision
    void client.invalidateQueries({ queryKey: ['room'] })
  }, [client, revision])
  return useQuery({ queryKey: ['room'], queryFn: () => call(readRoom), staleTime: Infinity })
}

/** An instructor's changes of the room. */
export function useRoomChanges() {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: ['room'] })
  return {
    pause: useMutation({ mutationFn: (paused: boolean) => call(pauseQueue, { body: { paused } }), onSuccess }),
    jump: useMutation({ mutationFn: (id: RunId) => call(jumpQueue, { params: { id } }), onSuccess }),
    cancel: useMutation({ mutationFn: (id: RunId) => call(cancelRun, { params: { id } }), onSuccess }),
    message: useMutation({ mutationFn: (body: MessageBody) => call(sendMessage, { body }) }),
    allowFrom: useMutation({ mutationFn: (network: string) => call(allowNetwork, { body: { network } }), onSuccess }),
    remove: useMutation({ mutationFn: (id: string) => call(removeParticipant, { params: { id } }), onSuccess }),
    door: useMutation({
      mutationFn: ({ role, open }: { role: GuestRole; open: boolean }) =>
        call(setDoor, { params: { role }, body: { open } }),
      onSuccess,
    }),
  }
}

export type RoomChanges = ReturnType<typeof useRoomChanges>

/** The invitations, and how to make and revoke one. */
export function useInvitations() {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: ['invitations'] })
  return {
    list: useQuery({ queryKey: ['invitations'], queryFn: () => call(listInvitations) }),
    create: useMutation({ mutationFn: (body: Input<typeof invite, 'body'>) => call(invite, { body }), onSuccess }),
    revoke: useMutation({ mutationFn: (id: string) => call(revokeInvitation, { params: { id } }), onSuccess }),
  }
}

/** The audit log page by page, newest first. */
export function useAudit() {
  return useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam }) => call(listAudit, pageParam === null ? {} : { query: { before: pageParam } }),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.next,
  })
}
