/** The open connections: how many there can be, from each address and in all, and which of them closes for a new one. */
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { clientNetwork } from '../../access/clients.ts'
import { MOST_VIEWERS } from '../../access/joining/capacity.ts'
import { isLoopback } from '../../config.ts'

/** A follower has a stream and fetches beside it. */
const OF_A_FOLLOWER = 2
/** A participant's pages have up to 8 streams (classroom/presence.ts), and a browser sends 6 requests at once. */
const OF_A_PARTICIPANT = 16
/** Open files of the server itself: the store, worker threads, and the pipes of what runs on testbeds. */
const OWN_FILES = 128
const FILES_OF_A_TESTBED = 8

export interface Bounds {
  readonly most: number
  /** The limit of each address except this machine's addresses, where a proxy stands for everybody. */
  readonly mostOfAddress: number
}

/** How many files this process may have open. Node has raised the soft limit to the hard one. */
export function mostOpenFiles(): number {
  const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft)
}

/**
 * A whole room can share one address. It still leaves an eighth to others, such as an instructor elsewhere.
 *
 * @param files how many files the process may have open: a connection needs one, and one for the file that it is sent
 */
export function boundsFor(participants: number, files: number): Bounds {
  const wanted = OF_A_FOLLOWER * MOST_VIEWERS + OF_A_PARTICIPANT * (participants + 2)
  // The server keeps half of a very small limit.
  const own = Math.min(OWN_FILES + FILES_OF_A_TESTBED * participants, Math.floor(files / 2))
  const most = Math.min(wanted, Math.floor((files - own) / 2))
  return { most, mostOfAddress: Math.ceil((most * 7) / 8) }
}

interface Address {
  readonly name: string
  open: number
  readonly closable: Set<Connection>
}

export interface Connection {
  /** With https: the TLS socket above the accepted socket, once it exists. */
  socket: Socket
  /** The addresses and ports of both ends. */
  readonly ends: string
  readonly address: Address
}

export interface OpenConnections {
  all(): Iterable<Connection>
  size(): number
  /** With https, both sockets of a connection have the same ends. */
  find(socket: Socket): Connection | null
  /**
   * Counts a new connection until it closes. At the limit, the connection closes that could close the longest.
   *
   * @returns null if none can
   */
  enter(socket: Socket): Connection | null
  /** Says whether a connection may close for a new one. All can in the beginning. */
  setClosable(connection: Connection, is: boolean): void
  isClosable(connection: Connection): boolean
}

function endsOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`
}

export function createOpenConnections({ most, mostOfAddress }: Bounds): OpenConnections {
  const open = new Map<string, Connection>()
  const addresses = new Map<string, Address>()
  const closable = new Set<Connection>()

  function setClosable(connection: Connection, is: boolean): void {
    for (const set of [closable, connection.address.closable]) {
      // To the end, if it is there already.
      set.delete(connection)
      if (is) set.add(connection)
    }
  }

  function leave(connection: Connection): void {
    if (open.get(connection.ends) !== connection) return
    const { address, ends } = connection
    open.delete(ends)
    setClosable(connection, false)
    address.open -= 1
    if (address.open === 0) addresses.delete(address.name)
  }

  function closeOldest([oldest]: Iterable<Connection>): boolean {
    if (oldest === undefined) return false
    oldest.socket.destroy()
    leave(oldest)
    return true
  }

  function hasRoom(address: Address): boolean {
    if (!isLoopback(address.name) && address.open >= mostOfAddress) return closeOldest(address.closable)
    return open.size < most || closeOldest(closable)
  }

  return {
    all: () => open.values(),
    size: () => open.size,
    find: (socket) => open.get(endsOf(socket)) ?? null,
    enter(socket) {
      // Without an address its client has gone already.
      if (socket.remoteAddress === undefined) return null
      const name = clientNetwork(socket.remoteAddress)
      const address = addresses.get(name) ?? { name, open: 0, closable: new Set() }
      if (!hasRoom(address)) return null
      const connection = { socket, ends: endsOf(socket), address }
      addresses.set(name, address)
      address.open += 1
      open.set(connection.ends, connection)
      setClosable(connection, true)
      socket.once('close', () => leave(connection))
      return connection
    },
    setClosable(connection, is) {
      if (open.get(connection.ends) === connection) setClosable(connection, is)
    },
    isClosable: (connection) => closable.has(connection),
  }
}
