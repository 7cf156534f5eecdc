/** Pings from pod to pod, over both families. */
import { halves } from '@expresslane/shared/features/pod-devices/places'
import { CLIENT } from '@expresslane/shared/testbed/placement'
import { LabError } from '@expresslane/shared/base/errors'
import type { Family } from '@expresslane/shared/base/units'
import { parsePing, pingArgv } from '../../tools/nodeport/route.ts'
import type { Pods } from '../feature.ts'

/** Whether the server answers the client, by family. */
export type Answered = Readonly<Record<Family, boolean>>

const PINGS = 3
/** On one machine an answer takes microseconds. */
const TIMEOUT_MS = 200

async function isAnswered(of: Family, { look }: Pick<Pods, 'look'>): Promise<boolean> {
  const [, server] = halves
  try {
    const { sent, received } = parsePing((await look(CLIENT, pingArgv(server[of].pod, PINGS, TIMEOUT_MS))).trim())
    return sent === received
  } catch (error) {
    // ping exits with 1 if no answer comes.
    if (error instanceof LabError && error.code === 'tool_failed') return false
    throw error
  }
}

/** How often pings are repeated that should be answered and are not: a busy machine can take longer once. */
const ATTEMPTS = 5

/** @param expected whether they should be answered: silence is then believed after some attempts */
export async function pingBoth(expected: boolean, pods: Pick<Pods, 'look'>): Promise<Answered> {
  for (let attempt = 1; ; attempt++) {
    const [ipv4, ipv6] = await Promise.all([isAnswered('ipv4', pods), isAnswered('ipv6', pods)])
    if ((ipv4 && ipv6) || !expected || attempt === ATTEMPTS) return { ipv4, ipv6 }
  }
}
