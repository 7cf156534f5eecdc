/** The helper's forwarder and its surroundings on a path, for tests and recordings. */
import type { Family } from '@expresslane/shared/base/units'
import {
  countersArgv,
  deviceArgv,
  forwardArgv,
  servicesInput,
  type BpfHook,
  type ForwardedService,
} from '../../../src/tools/nodeport/argv.ts'
import { type ForwardReady, parseForwardReady } from './diagnosis.ts'
import {
  parseDevice,
  parseForwardCounters,
  type DeviceReading,
  type ForwardCounters,
} from '../../../src/tools/nodeport/lines.ts'
import { backendAddresses, masquerade, nodeAddresses, type Path, type Place, type Running } from './path.ts'
import { z } from 'zod'

/** For `expect.poll`, on a busy machine. */
export const PATIENCE = { timeout: 60_000 }
export const NODE_PORT = 30_080
export const BACKEND_PORT = 7
export const families: readonly Family[] = ['ipv4', 'ipv6']
export const hooks: readonly BpfHook[] = ['xdp', 'tcx', 'tc']

/** The helper's input with a service for each protocol and family. */
export function services(): string {
  const list = families.flatMap((family) =>
    (['tcp', 'udp'] as const).map((protocol): ForwardedService => ({
      port: NODE_PORT,
      protocol,
      address: backendAddresses[family],
      backendPort: BACKEND_PORT,
    })),
  )
  return servicesInput({
    node: families.map((family) => nodeAddresses[family]),
    masquerade: families.map((family) => masquerade[family]),
    services: list,
  })
}

export interface Forwarder {
  readonly ready: ForwardReady
  readonly running: Running
}

export async function startForwarder(path: Path, hook: BpfHook): Promise<Forwarder> {
  const running = path.start('node', forwardArgv({ hook, devices: ['n0', 'n1'] }), services())
  return { running, ready: parseForwardReady(await running.line(0)) }
}

export async function readCounters(path: Path): Promise<ForwardCounters> {
  const { stdout } = await path.run('node', countersArgv('forward'))
  return parseForwardCounters(stdout[0] ?? '')
}

export async function readDevice(path: Path, device: string): Promise<DeviceReading> {
  const { stdout } = await path.run('node', deviceArgv(device))
  return parseDevice(stdout[0] ?? '')
}

/** The output of `ip -s link` for a device. */
const links = z.tuple([z.object({ stats64: z.object({ tx: z.object({ dropped: z.number().int() }) }) })])

/** Packets that a veth device could not hand to its peer, because the peer's queue was full. */
export async function readDropped(path: Path, place: Place, device: string): Promise<number> {
  const { stdout } = await path.run(place, ['ip', '-j', '-s', 'link', 'show', 'dev', device])
  return links.parse(JSON.parse(stdout.join('')))[0].stats64.tx.dropped
}
