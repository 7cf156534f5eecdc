/** XDP acceleration of Cilium's load balancer: a setting of the nodes. */
import { z } from 'zod'
import type { Settings } from '../../measure/settings.ts'
import type { ArmName, Setting } from '../feature.ts'

export const LB_ACCELERATION = 'lb-acceleration'

/**
 * Where a node handles a NodePort's packets (`bpf-lb-acceleration` of Cilium):
 *
 * - `disabled`: at TC, when the kernel has made a socket buffer of the packet
 * - `native`: with XDP, in the device's driver
 */
export const acceleration = z.enum(['disabled', 'native'])
export type Acceleration = z.infer<typeof acceleration>

const names: Readonly<Record<Acceleration, string>> = { disabled: 'TC', native: 'XDP' }

/** The acceleration that settings ask for; null if they do not name a known one. */
export function accelerationIn(settings: Settings): Acceleration | null {
  return acceleration
    .nullable()
    .catch(null)
    .parse(settings[LB_ACCELERATION] ?? null)
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
] as const satisfies readonly Setting[]

/** `native`, `XDP`. */
export function nameArm(of: Settings): ArmName {
  return { id: accelerationIn(of) ?? 'disabled', label: nameOf(of) }
}

/** `with XDP`. */
export function phrase(of: Settings): string {
  return `with ${nameOf(of)}`
}
