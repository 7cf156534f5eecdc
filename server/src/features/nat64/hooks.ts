/** The gateway's hook readings, for the path panel and the checks. Pure. */
import { CALLS, GATEWAY, PROGRAM, ROUTING, TAYGA } from '@expresslane/shared/features/nat64/roles'
import { client, TRANSLATOR_DEVICE } from '@expresslane/shared/features/nat64/places'
import type { HookReading } from '@expresslane/shared/testbed/reading'
import type { Answered } from './calls.ts'
import type { GatewayRead } from './reading.ts'

export function hooksOf({ path, program, tayga }: GatewayRead, { ipv4, ipv6 }: Answered): HookReading[] {
  const { forwarding, forwarded } = path
  return [
    {
      where: client.name,
      hook: CALLS,
      present: ipv4 && ipv6,
      devices: [],
      counts: { ipv4: Number(ipv4), ipv6: Number(ipv6) },
    },
    {
      where: GATEWAY,
      hook: PROGRAM,
      present: program !== null,
      devices: program === null ? [] : [TRANSLATOR_DEVICE],
      counts:
        program === null ? {} : { toIpv4: program.toIpv4, toIpv6: program.toIpv6, newSessions: program.newSessions },
    },
    {
      where: GATEWAY,
      hook: TAYGA,
      present: tayga !== null,
      devices: tayga === null ? [] : [TRANSLATOR_DEVICE],
      counts: tayga === null ? {} : { packets: tayga },
    },
    {
      where: GATEWAY,
      hook: ROUTING,
      present: forwarding.ipv4 && forwarding.ipv6,
      devices: [],
      counts: { ipv4: forwarded.ipv4, ipv6: forwarded.ipv6 },
    },
  ]
}
