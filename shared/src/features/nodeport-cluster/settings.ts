/** Cilium's load balancer: where a node handles a NodePort's packets, and which way their replies take. */
import { z } from 'zod'
import type { Settings } from '../../base/settings.ts'
import type { Link } from '../../testbed/reading.ts'
import type { ArmName, Setting } from '../feature.ts'

export const LB_ACCELERATION = 'lb-acceleration'
export const LB_MODE = 'lb-mode'

/**
 * Where a node handles a NodePort's packets (`bpf-lb-acceleration` of Cilium):
 *
 * - `disabled`: at TC, when the kernel has made a socket buffer of the packet
 * - `native`: with XDP, in the device's driver
 */
export const acceleration = z.enum(['disabled', 'native'])
export type Acceleration = z.infer<typeof acceleration>

/**
 * The way of the replies of a backend on another node (`bpf-lb-mode` of Cilium):
 *
 * - `snat`: through the node that was called, which replaced the client's address by its own
 * - `dsr`: from the backend's node to the client (direct server return)
 */
export const lbMode = z.enum(['snat', 'dsr'])
export type LbMode = z.infer<typeof lbMode>

const names: Readonly<Record<Acceleration, string>> = { disabled: 'TC', native: 'XDP' }

/** Cilium's XDP program: `cil_xdp_entry`, and `bpf_xdp_entry` before 1.13. */
const CILIUM_PROGRAM = /^(cil|bpf)_xdp/

/** How a device runs Cilium's XDP program: in its driver, after it, or not at all. Other programs do not count. */
export function ciliumXdp({ xdp }: Pick<Link, 'xdp'>): 'native' | 'generic' | 'none' {
  return xdp !== undefined && CILIUM_PROGRAM.test(xdp.program) ? xdp.mode : 'none'
}

/** The acceleration that settings ask for; null if they name no known acceleration. */
export function accelerationIn(settings: Settings): Acceleration | null {
  return acceleration
    .nullable()
    .catch(null)
    .parse(settings[LB_ACCELERATION] ?? null)
}

/** The mode that settings ask for; null if they name no known mode. */
export function lbModeIn(settings: Settings): LbMode | null {
  return lbMode
    .nullable()
    .catch(null)
    .parse(settings[LB_MODE] ?? null)
}

function nameOf(of: Settings): string {
  return names[accelerationIn(of) ?? 'disabled']
}

export const settings = [
  {
    id: LB_ACCELERATION,
    label: 'XDP acceleration',
    schema: acceleration,
    off: 'disabled',
    capability: 'lb-acceleration',
    ways: [{ primitive: 'cilium-config/bpf-lb-acceleration' }],
    staysAsFound: true,
    format: (value) => (value === 'native' ? 'native' : 'disabled'),
    control: {
      kind: 'choice',
      options: [
        ['disabled', 'Disabled: TC'],
        ['native', 'Native: XDP'],
      ],
    },
  },
  {
    id: LB_MODE,
    label: 'Way of the replies',
    schema: lbMode,
    off: 'snat',
    capability: 'lb-mode',
    ways: [{ primitive: 'cilium-config/bpf-lb-mode' }],
    staysAsFound: true,
    format: (value) => (value === 'dsr' ? 'DSR' : 'SNAT'),
    control: {
      kind: 'choice',
      options: [
        ['snat', 'SNAT: through the called node'],
        ['dsr', 'DSR: from the backend’s node'],
      ],
    },
    explained: [
      ['SNAT', 'the called node replaces the client’s address by its own, so every reply comes back through it.'],
      ['DSR', 'the backend’s node answers the client directly; the network between them has to let it.'],
    ],
  },
] as const satisfies readonly Setting[]

/** `native`, `XDP`; `disabled-dsr`, `TC, DSR`. */
export function nameArm(of: Settings): ArmName {
  const id = accelerationIn(of) ?? 'disabled'
  return lbModeIn(of) === 'dsr' ? { id: `${id}-dsr`, label: `${nameOf(of)}, DSR` } : { id, label: nameOf(of) }
}

/** `with XDP`, `with TC and DSR`. */
export function phrase(of: Settings): string {
  return lbModeIn(of) === 'dsr' ? `with ${nameOf(of)} and DSR` : `with ${nameOf(of)}`
}
