/** Who is connected now: the open streams of each principal. */
import { streamClose } from '@expresslane/shared/wire/stream'
import { role as roles, type Role } from '@expresslane/shared/wire/room'
import type { Principal } from '../access/principal.ts'

interface Connection {
  readonly principal: Principal
  /** The id of its login; null for a token of the configuration. */
  readonly login?: string | null | undefined
  /** From where it comes: `clientNetwork`. */
  readonly network?: string | undefined
  close(code: number, reason: string): void
}

export interface Presence {
  /** A stream opened. The person’s oldest ones close beyond the limit of their role. @returns call it when the stream has closed */
  enter(connection: Connection): () => void
  isOnline(id: string): boolean
  /** People of a role with an open stream. */
  count(role: Role): number
  /** How many streams of each role are open. */
  streams(): ReadonlyMap<Role, number>
  /** People with an open stream from a network. */
  countFrom(network: string): number
  /** Closes all streams of a principal. */
  close(id: string, code: number, reason: string): void
  /** Closes the streams of one login. */
  closeLogin(login: string, code: number, reason: string): void
  /** Called with the id of a principal whose first stream opened, or whose last one closed. @returns unsubscribes */
  subscribe(listener: (id: string) => void): () => void
}

/** Open streams of one principal: a page has one. */
export const MOST_STREAMS: Readonly<Record<Role, number>> = { instructor: 32, participant: 8, viewer: 8 }

export function createPresence(): Presence {
  const connections = new Set<Connection>()
  const listeners = new Set<(id: string) => void>()

  const of = (id: string): Connection[] => [...connections].filter(({ principal }) => principal.id === id)

  /** A closed connection counts no longer, even while a client delays its end. */
  function closeOldest({ id, role }: Principal): void {
    for (const oldest of of(id).slice(0, -MOST_STREAMS[role])) {
      connections.delete(oldest)
      oldest.close(streamClose.tooMany, `only the newest ${MOST_STREAMS[role]} pages of one person stay connected`)
    }
  }

  function report(id: string): void {
    for (const listener of listeners) listener(id)
  }

  return {
    enter(connection) {
      const { principal, login, network } = connection
      const { id } = principal
      const entered = { principal, login, network, close: connection.close.bind(connection) }
      connections.add(entered)
      closeOldest(principal)
      if (of(id).length === 1) report(id)
      return () => {
        if (connections.delete(entered) && of(id).length === 0) report(id)
      }
    },
    isOnline: (id) => of(id).length > 0,
    count: (role) =>
      new Set([...connections].flatMap(({ principal }) => (principal.role === role ? [principal.id] : []))).size,
    streams() {
      const open = new Map<Role, number>(roles.options.map((one) => [one, 0]))
      for (const { principal } of connections) open.set(principal.role, (open.get(principal.role) ?? 0) + 1)
      return open
    },
    countFrom: (network) =>
      new Set([...connections].flatMap((one) => (one.network === network ? [one.principal.id] : []))).size,
    closeLogin(login, code, reason) {
      for (const connection of connections) if (connection.login === login) connection.close(code, reason)
    },
    close(id, code, reason) {
      for (const connection of of(id)) connection.close(code, reason)
    },
    subscribe(listener) {
      const subscribed = (id: string): void => listener(id)
      listeners.add(subscribed)
      return () => listeners.delete(subscribed)
    },
  }
}
