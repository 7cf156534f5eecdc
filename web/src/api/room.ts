/** The instructor's board: its HTTP API and its queries. Loaded with the board. */
import type { RunId } from '@expresslane/shared/run/events'
import {
  auditResponse,
  door,
  invitationsResponse,
  newInvitation,
  roomView,
  type CreateInvitationBody,
  type GuestRole,
  type MessageBody,
} from '@expresslane/shared/wire/room'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLive } from './live.tsx'
import { post, remove, request, send, sendOnly } from './request.ts'

const roomHttp = {
  room: () => request(roomView, '/api/room'),
  pause: (paused: boolean) => sendOnly('PUT', '/api/room/queue', { paused }),
  cancel: (run: RunId) => sendOnly('POST', `/api/runs/${run}/cancel`),
  jump: (run: RunId) => sendOnly('POST', `/api/runs/${run}/jump`),
  message: (body: MessageBody) => sendOnly('POST', '/api/room/messages', body),
  allowFrom: (network: string) => sendOnly('POST', '/api/room/networks', { network }),
  remove: (person: string) => remove(`/api/room/participants/${person}`),
  openDoor: (role: GuestRole, open: boolean) => send('PUT', door, `/api/room/doors/${role}`, { open }),
  invitations: () => request(invitationsResponse, '/api/room/invitations'),
  invite: (body: CreateInvitationBody) => post(newInvitation, '/api/room/invitations', body),
  revoke: (id: string) => remove(`/api/room/invitations/${encodeURIComponent(id)}`),
  audit: (before: number | null) =>
    request(auditResponse, before === null ? '/api/audit' : `/api/audit?before=${before}`),
}

/** Where a browser downloads what the board exports. */
export const roomFile = {
  results: (lab: string) => `/api/room/results.csv?lab=${encodeURIComponent(lab)}`,
  report: (lab: string) => `/api/room/report?lab=${encodeURIComponent(lab)}`,
  audit: '/api/audit.csv',
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
  return useQuery({ queryKey: ['room'], queryFn: roomHttp.room, staleTime: Infinity })
}

/** What an instructor changes in the room. */
export function useRoomChanges() {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: ['room'] })
  return {
    pause: useMutation({ mutationFn: roomHttp.pause, onSuccess }),
    jump: useMutation({ mutationFn: roomHttp.jump, onSuccess }),
    cancel: useMutation({ mutationFn: roomHttp.cancel, onSuccess }),
    message: useMutation({ mutationFn: roomHttp.message }),
    allowFrom: useMutation({ mutationFn: roomHttp.allowFrom, onSuccess }),
    remove: useMutation({ mutationFn: roomHttp.remove, onSuccess }),
    door: useMutation({
      mutationFn: ({ role, open }: { role: GuestRole; open: boolean }) => roomHttp.openDoor(role, open),
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
    list: useQuery({ queryKey: ['invitations'], queryFn: roomHttp.invitations }),
    create: useMutation({ mutationFn: roomHttp.invite, onSuccess }),
    revoke: useMutation({ mutationFn: roomHttp.revoke, onSuccess }),
  }
}

/** The audit log page by page, newest first. */
export function useAudit() {
  return useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam }) => roomHttp.audit(pageParam),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.next,
  })
}
