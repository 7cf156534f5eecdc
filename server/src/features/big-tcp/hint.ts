/** Says what is still missing when a person sets BIG TCP by hand, from what the devices report. Pure. */
import { sizeFor } from '@expresslane/shared/features/big-tcp/proof'
import { isOn } from '@expresslane/shared/features/big-tcp/settings'
import { familyName, formatCount, type Bytes, type Family } from '@expresslane/shared/base/units'
import { groLimit, gsoLimit, type DatapathState, type Reading } from '@expresslane/shared/testbed/reading'
import type { Expected } from '../feature.ts'

/** The attributes of `ip link` with the sizes for sending and for receiving. */
const attributes: Readonly<Record<Family, readonly [send: string, receive: string]>> = {
  ipv4: ['gso_ipv4_max_size', 'gro_ipv4_max_size'],
  ipv6: ['gso_max_size', 'gro_max_size'],
}
const otherThan: Readonly<Record<Family, Family>> = { ipv4: 'ipv6', ipv6: 'ipv4' }

function show(size: Bytes | null): string {
  return size === null ? 'no known size' : formatCount(size)
}

function hintAt(device: Reading, of: Family, want: Bytes): string | null {
  const name = device.device === 'eth0' && device.role === 'pod' ? device.where : `${device.where} ${device.device}`
  const [gso, gro, other] = [gsoLimit(device, of), groLimit(device, of), gsoLimit(device, otherThan[of])]
  const [send, receive] = attributes[of]
  if (gso === want && gro === want) return null
  if (gso === want) return `${name} has the size for sending. Its ${receive}, for receiving, is still ${show(gro)}.`
  if (gro === want) return `${name} has the size for receiving. Its ${send}, for sending, is still ${show(gso)}.`
  if (other === want) {
    const [wrong] = attributes[otherThan[of]]
    return `${name} has ${show(want)} as ${wrong}, which is for ${familyName[otherThan[of]]}. For ${familyName[of]} it is ${send}.`
  }
  if (!device.native) {
    return `${name} still has ${show(gso)}: it was created before the switch. A pod gets its size from its node when it is created; set it to ${show(want)}, or deploy again.`
  }
  return `${name} has ${show(gso)}, and this step needs ${show(want)}.`
}

/** The agents read a changed configuration only when they start. */
function hintAtAgents({ agents, settings: asked }: DatapathState, of: Family): string | null {
  const old = (agents ?? []).find(({ settings }) => settings !== null && isOn(settings, of) !== isOn(asked, of))
  if (old === undefined) return null
  const words = isOn(asked, of) ? ['on', 'off'] : ['off', 'on']
  return `The configuration has BIG TCP ${words[0]} for ${familyName[of]}, and the agent on ${old.node} still runs with it ${words[1]}: restart the agents.`
}

/** The first agent or device that differs, in the path's order; null if none does. */
export function hint(state: DatapathState, { families, nodes, pods }: Expected): string | null {
  for (const family of families) {
    for (const device of state.kernel) {
      const settings = device.native ? nodes : pods
      if (settings === undefined || device.role === 'wire') continue
      const want = sizeFor(settings, family, state, device.node)
      const words = want === null ? null : hintAt(device, family, want)
      if (words !== null) return hintAtAgents(state, family) ?? words
    }
  }
  return null
}
