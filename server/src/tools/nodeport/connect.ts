/** The helper's commands for translation at the socket. */
import { z } from 'zod'
import { argv } from './argv.ts'
import { count, reader } from './lines.ts'

/** Translates this network's calls of connect(2) until SIGTERM; the services are its input (`servicesInput`). Root. */
export const connectArgv: readonly string[] = argv('connect', { services: '-' })
export const isConnectReady = (line: string): boolean => line.startsWith('{"type":"ready","of":"connect"')

/** Asks the `connect` of this network namespace. Exit code 1 if there is none. */
export const connectCountersArgv: readonly string[] = argv('counters', { of: 'connect' })

export const parseConnectCounters = reader(
  z.object({
    type: z.literal('counters'),
    of: z.literal('connect'),
    /** Entries of the kernel's map: one for each port, protocol and family. */
    services: count,
    /** Calls of connect(2), and those of them that got a backend's address. */
    connects: count,
    translated: count,
  }),
)
