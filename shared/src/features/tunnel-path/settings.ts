/** The tunnel between the nodes, and the largest packet on the path. Both belong to the next pods, which get nodes of their own. */
import { i18n } from '../../base/language.ts'
import { z } from 'zod'
import type { Settings } from '../../base/settings.ts'
import { bytes, formatSize, type Bytes } from '../../base/units.ts'
import { LEGACY_MAX_SIZE } from '../../testbed/reading.ts'
import { MTU } from './places.ts'
import type { ArmName, Setting } from '../feature.ts'

export const TUNNEL_KIND = 'node-tunnel'
export const TUNNEL_SIZE = 'node-tunnel-size'

export const tunnelKind = z.enum(['none', 'vxlan', 'geneve', 'wireguard', 'esp'])
export type TunnelKind = z.infer<typeof tunnelKind>

export const tunnelName: Readonly<Record<TunnelKind, string>> = {
  none: /*i18n*/ 'No tunnel',
  vxlan: 'VXLAN',
  geneve: 'Geneve',
  wireguard: 'WireGuard',
  esp: 'ESP',
}

export type EncryptedKind = Extract<TunnelKind, 'wireguard' | 'esp'>

export function isEncrypted(kind: TunnelKind): kind is EncryptedKind {
  return kind === 'wireguard' || kind === 'esp'
}

const capabilityOfKind: Readonly<Record<TunnelKind, string | null>> = {
  none: null,
  vxlan: 'node-tunnel',
  geneve: 'node-tunnel-geneve',
  wireguard: 'node-tunnel-wireguard',
  esp: 'node-tunnel-esp',
}

/** As Cilium sets it: three times 64 KiB. */
const BIG = 196_608
const sizes: readonly number[] = [MTU, LEGACY_MAX_SIZE, BIG]
const size = bytes.refine((value) => sizes.includes(value))

/** No tunnel if it is not set. */
export function tunnelIn(settings: Settings): TunnelKind {
  return tunnelKind.catch('none').parse(settings[TUNNEL_KIND])
}

/** 64 KiB if it is not set. */
export function sizeIn(settings: Settings): Bytes {
  return size.catch(LEGACY_MAX_SIZE).parse(settings[TUNNEL_SIZE])
}

const ONE_MTU = /*i18n*/ 'one MTU'

function sizeName(value: unknown): string {
  const most = size.catch(LEGACY_MAX_SIZE).parse(value)
  return most === MTU ? ONE_MTU : formatSize(most)
}

export const settings = [
  {
    id: TUNNEL_KIND,
    label: /*i18n*/ 'Tunnel',
    schema: tunnelKind,
    off: 'none',
    capability: null,
    capabilityOf: (value) => capabilityOfKind[tunnelKind.catch('none').parse(value)],
    format: (value) => i18n.t(tunnelName[tunnelKind.catch('none').parse(value)]),
    control: { kind: 'choice', options: tunnelKind.options.map((one) => [one, tunnelName[one]] as const) },
    explained: [
      ['VXLAN', /*i18n*/ 'a UDP header, and 8 bytes with the network’s number, around each packet of the pods.'],
      ['Geneve', /*i18n*/ 'the same with room for options, which Cilium uses for direct server return.'],
      ['WireGuard', /*i18n*/ 'encrypts each packet with ChaCha20-Poly1305, and sends it over UDP.'],
      [
        'ESP',
        /*i18n*/ 'the encryption of IPsec, here with AES-GCM: each packet becomes the payload of an IP packet of its own.',
      ],
    ],
  },
  {
    id: TUNNEL_SIZE,
    label: /*i18n*/ 'Largest packet',
    schema: size,
    off: LEGACY_MAX_SIZE,
    capability: null,
    capabilityOf: (value) => (value === BIG ? 'node-tunnel' : null),
    format: (value) => i18n.t(sizeName(value)),
    control: { kind: 'choice', options: sizes.map((one) => [one, sizeName(one)] as const) },
  },
] as const satisfies readonly Setting[]

/** `vxlan-196608`, `VXLAN, 192 KiB`. */
export function nameArm(of: Settings): ArmName {
  const [kind, most] = [tunnelIn(of), sizeIn(of)]
  return { id: `${kind}-${most}`, label: `${i18n.t(tunnelName[kind])}, ${i18n.t(sizeName(most))}` }
}

/** `with VXLAN and packets of up to 192 KiB`. */
export function phrase(of: Settings): string {
  const [kind, most] = [tunnelIn(of), i18n.t(sizeName(sizeIn(of)))]
  return kind === 'none'
    ? i18n.t('without a tunnel, packets of up to {size}', { size: most })
    : i18n.t('with {tunnel} and packets of up to {size}', { tunnel: tunnelName[kind], size: most })
}
