/** The needs of new pods besides the rules: devices that carry generated packets, and a backend that answers. */
import { BACKEND, FORWARDER } from '@expresslane/shared/features/nodeport/roles'
import { CLIENT } from '@expresslane/shared/testbed/placement'
import { deviceArgv, echoArgv } from '../../tools/nodeport/argv.ts'
import { parseEchoLine } from '../../tools/nodeport/lines.ts'
import type { Pods } from '../feature.ts'
import { BACKEND_PORT } from './services.ts'

/** The devices of the path, in its order. */
const devices = [
  [CLIENT, 'eth0'],
  [FORWARDER, 'eth0'],
  [FORWARDER, 'eth1'],
  [BACKEND, 'eth0'],
] as const

/**
 * Frames that are made in the driver only reach a veth device with GRO, and they have whole checksums, so the two ends
 * must not leave them to a network card. All arms get the same. Devices on a real card leave them to it.
 */
export async function preparePath({ look, hold }: Pick<Pods, 'look' | 'hold'>): Promise<void> {
  for (const [role, device] of devices) await look(role, deviceArgv(device, { gro: true, txChecksum: false }))
  await hold(BACKEND, { argv: echoArgv(BACKEND_PORT), isReady: (line) => parseEchoLine(line).type === 'ready' })
}
