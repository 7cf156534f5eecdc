/** `ip route get`: which way the kernel would send a packet. */
import type { Family } from '@expresslane/shared/base/units'
import { z } from 'zod'
import { readOutput, type Described } from './read-output.ts'

export interface Route {
  readonly device: string
  /** The next hop; null if the address is on the device's own network. */
  readonly gateway: string | null
}

const printed = z.tuple([
  z.object({ dev: z.string(), gateway: z.string().optional(), via: z.object({ host: z.string() }).optional() }),
])

const output: Described = {
  name: 'The output of `ip route get`',
  remedy: 'Check that `ip -j route get` prints JSON on the node.',
}

/** The command fails where there is no route. */
export function routeGetArgv(of: Family, address: string): string[] {
  return ['ip', '-j', of === 'ipv4' ? '-4' : '-6', 'route', 'get', address]
}

/** Reads {@link routeGetArgv}. @throws LabError `tool_output_unreadable` */
export function parseRoute(text: string): Route {
  const [{ dev, gateway, via }] = readOutput(printed, text, output)
  return { device: dev, gateway: gateway ?? via?.host ?? null }
}
