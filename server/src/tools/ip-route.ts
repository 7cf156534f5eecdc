/** `ip route get`: which way the kernel would send a packet. */
import type { Family } from '@expresslane/shared/base/units'
import { LabError } from '@expresslane/shared/base/errors'
import { z } from 'zod'

export interface Route {
  readonly device: string
  /** The next hop; null if the address is on the device's own network. */
  readonly gateway: string | null
}

const printed = z.tuple([
  z.object({ dev: z.string(), gateway: z.string().optional(), via: z.object({ host: z.string() }).optional() }),
])

/** The command fails where there is no route. */
export function routeGetArgv(of: Family, address: string): string[] {
  return ['ip', '-j', of === 'ipv4' ? '-4' : '-6', 'route', 'get', address]
}

/** Reads {@link routeGetArgv}. @throws LabError `tool_output_unreadable` */
export function parseRoute(text: string): Route {
  try {
    const [{ dev, gateway, via }] = printed.parse(JSON.parse(text))
    return { device: dev, gateway: gateway ?? via?.host ?? null }
  } catch (error) {
    throw new LabError(
      'tool_output_unreadable',
      'The output of `ip route get` could not be read.',
      'Check that `ip -j route get` prints JSON on the node.',
      { detail: text.slice(0, 500), cause: error },
    )
  }
}
