/** Connections from client to server, over both families: who is answered. */
import { server } from '@expresslane/shared/features/nat64/places'
import { family as families, type Family } from '@expresslane/shared/base/units'
import { CLIENT } from '@expresslane/shared/testbed/placement'
import { LabError } from '@expresslane/shared/base/errors'
import { handshakeArgv } from '../../tools/nodeport/argv.ts'
import type { Pods } from '../feature.ts'
import { ECHO_PORT } from './commands.ts'

/** Whether the server answers TCP and UDP, by the family that the client speaks. */
export type Answered = Readonly<Record<Family, boolean>>

/** On one machine an answer takes microseconds; a machine that is short of processors can need a moment for it. */
const ANSWERED_MS = 2_000
/** Nothing comes back where nobody translates. */
const SILENT_MS = 200

async function isAnswered(of: Family, wanted: boolean, { look }: Pick<Pods, 'look'>): Promise<boolean> {
  const timeoutMs = wanted ? ANSWERED_MS : SILENT_MS
  try {
    await look(CLIENT, handshakeArgv({ address: server.standIn[of], port: ECHO_PORT, timeoutMs }))
    return true
  } catch (error) {
    // The command exits with 1 if TCP or UDP stays without an answer.
    if (error instanceof LabError && error.code === 'tool_failed') return false
    throw error
  }
}

/** @param wanted whether answers are expected, which decides how long to wait */
export async function callBoth(wanted: boolean, pods: Pick<Pods, 'look'>): Promise<Answered> {
  const [ipv4 = false, ipv6 = false] = await Promise.all(families.options.map((of) => isAnswered(of, wanted, pods)))
  return { ipv4, ipv6 }
}
