/**
 * The argv of the NodePort helper (`server/native`, whose README describes every line that it prints).
 * All of them must run in a network namespace other than the machine's own.
 */
import type { Bytes } from '@expresslane/shared/base/units'

/** Where BPF forwards, and how it is attached. */
export type BpfHook = 'xdp' | 'tcx' | 'tc'

/**
 * The helper for this machine. An ordinary user may not be able to enter the checkout's folder: a server that is root
 * runs it as root, in the network namespace alone.
 */
export const nodeportProgram = decodeURIComponent(
  new URL(`../../../native/bin/nodeport-${process.arch}`, import.meta.url).pathname,
)

const options = (named: Readonly<Record<string, string | number | null>>): string[] =>
  Object.entries(named).flatMap(([name, value]) => (value === null ? [] : [`--${name}`, String(value)]))

export const argv = (subcommand: string, named: Readonly<Record<string, string | number | null>> = {}): string[] => [
  nodeportProgram,
  subcommand,
  ...options(named),
]

export interface ForwardOptions {
  readonly hook: BpfHook
  /** At whose ingress it forwards: client's side and backend's side. */
  readonly devices: readonly string[]
}

/** Holds the forwarder until SIGTERM; the services are its input ({@link servicesInput}). Root. */
export const forwardArgv = ({ hook, devices }: ForwardOptions): string[] => [
  ...argv('forward', { hook }),
  ...devices.flatMap((device) => ['--device', device]),
  ...options({ services: '-' }),
]

/** A NodePort of one family and protocol, and its one backend. */
export interface ForwardedService {
  readonly port: number
  readonly protocol: 'tcp' | 'udp'
  /** The backend's address, which says the family. */
  readonly address: string
  readonly backendPort: number
}

export interface Forwarded {
  /** Where the node answers: one address for each family. */
  readonly node: readonly string[]
  /** The node's addresses towards the backends, of the same families. */
  readonly masquerade: readonly string[]
  readonly services: readonly ForwardedService[]
}

/** The standard input of {@link forwardArgv}. */
export const servicesInput = ({ node, masquerade, services }: Forwarded): string =>
  `${JSON.stringify({ node, masquerade, services })}\n`

/** Asks the forwarder, the sink or the translator of this network namespace for its counters. */
export const countersArgv = (of: 'forward' | 'sink' | 'translate'): string[] => argv('counters', { of })

export interface GenerateOptions {
  /** `xdp`: live frames, for root. `ring`: AF_PACKET's TX_RING. */
  readonly method: 'xdp' | 'ring'
  readonly device: string
  readonly address: string
  readonly port: number
  /** Packets a second over so many flows, or packets that each begin a flow. `max`: as fast as possible. */
  readonly load: { readonly rate: number | 'max'; readonly flows: number } | { readonly newFlows: number | 'max' }
  /** The length of the frame with its Ethernet header, from 64 on. */
  readonly frameBytes: Bytes
  readonly seconds: number
}

export function generateArgv({ method, device, address, port, load, frameBytes, seconds }: GenerateOptions): string[] {
  const what = 'rate' in load ? { rate: load.rate, flows: load.flows } : { 'new-flows': load.newFlows }
  return argv('generate', { method, device, to: address, port, ...what, size: frameBytes, seconds })
}

export interface SinkOptions {
  /** `xdp` is for root. `socket` is a UDP socket that drops everything. */
  readonly method: 'xdp' | 'socket'
  readonly device: string
  readonly port: number
}

/** Counts and drops packets that arrive, until SIGTERM. */
export const sinkArgv = ({ method, device, port }: SinkOptions): string[] => argv('sink', { method, device, port })

/** Echoes over TCP and UDP until SIGTERM. */
export const echoArgv = (port: number): string[] => argv('echo', { port })

export interface HandshakeOptions {
  readonly address: string
  readonly port: number
  readonly timeoutMs: number
}

/** A connection and an echo over TCP, and an echo over UDP. The command exits with 1 and a result if either fails. */
export const handshakeArgv = ({ address, port, timeoutMs }: HandshakeOptions): string[] =>
  argv('handshake', { address, port, 'timeout-ms': timeoutMs })

export interface DeviceSettings {
  readonly gro?: boolean
  readonly txChecksum?: boolean
  readonly threaded?: boolean
}

/** Makes the given settings and reads the device: its offloads, its threaded NAPI and its programs. */
export function deviceArgv(device: string, { gro, txChecksum, threaded }: DeviceSettings = {}): string[] {
  const words = (value: boolean | undefined): string | null => (value === undefined ? null : value ? 'on' : 'off')
  return argv('device', {
    device,
    gro: words(gro),
    'tx-checksum': words(txChecksum),
    threaded: words(threaded),
  })
}
