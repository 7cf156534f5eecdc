/** The two ends of an encrypted tunnel. Each deploy makes new keys, and people see a placeholder in their place. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { halves, TUNNEL, WIREGUARD_PORT, type Half } from '@expresslane/shared/features/tunnel-path/places'
import type { EncryptedKind } from '@expresslane/shared/features/tunnel-path/settings'
import type { Role } from '@expresslane/shared/testbed/placement'
import type { Fed } from '../../testbeds/testbed.ts'
import { ipBatchArgv } from '../../tools/ipvs.ts'
import { AES_GCM, ESP_ID, text } from './commands.ts'

/** Bytes of a key of AES-128, and of the salt that RFC 4106 has behind it. */
const KEY_BYTES = 20

/** @param write writes the input; it passes each key through the function that it gets */
function withKeys(write: (key: (of: string) => string) => string): Pick<Fed, 'input' | 'shown'> {
  return { input: write((key) => key), shown: write(() => 'NEW-KEY') }
}

type End = readonly [node: Role, fed: Fed]

interface KeyPair {
  readonly own: string
  /** The part for the other end. */
  readonly open: string
}

/** As `wg genkey` and `wg pubkey` print them. */
function newKeyPair(): KeyPair {
  const { d = '', x = '' } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' })
  const [own, open] = [d, x].map((part) => Buffer.from(part, 'base64url').toString('base64'))
  return { own: own ?? '', open: open ?? '' }
}

const otherOf = ({ index }: Half): Half => halves[index === 1 ? 1 : 0]

/** `wg` reads a file alone, and Node's pipes are sockets, which can't be opened again: hence the second pipe. */
const wgArgv = ['sh', '-c', `cat | wg setconf ${TUNNEL} /proc/self/fd/0`]
const wgTyped = ['wg', 'setconf', TUNNEL, '/dev/stdin']

function wireguardEnds(): End[] {
  const pairs = halves.map(newKeyPair)
  return halves.map((half, at): End => {
    const { ipv4, ipv6 } = otherOf(half)
    const config = withKeys((key) =>
      text([
        '[Interface]',
        `PrivateKey = ${key(pairs[at]?.own ?? '')}`,
        `ListenPort = ${WIREGUARD_PORT}`,
        '[Peer]',
        `PublicKey = ${key(pairs[1 - at]?.open ?? '')}`,
        `Endpoint = ${ipv4.wire}:${WIREGUARD_PORT}`,
        `AllowedIPs = ${ipv4.pods}, ${ipv6.pods}`,
      ]),
    )
    return [half.nodeRole, { argv: wgArgv, typed: wgTyped, ...config }]
  })
}

/** A key for each direction, which both nodes have. The policies are for packets of the tunnel's device. */
function espEnds(): End[] {
  const keys = halves.map(() => randomBytes(KEY_BYTES).toString('hex'))
  return halves.map((own): End => {
    const other = otherOf(own)
    const way = (from: Half, to: Half): string => `src ${from.ipv4.wire} dst ${to.ipv4.wire} proto esp`
    const mode = 'reqid 1 mode tunnel'
    const policies = (['ipv4', 'ipv6'] as const).flatMap((family) =>
      (
        [
          [own, other, 'out'],
          [other, own, 'fwd'],
        ] as const
      ).map(
        ([from, to, direction]) =>
          `xfrm policy add src ${from[family].pods} dst ${to[family].pods} dir ${direction} if_id ${ESP_ID} tmpl ${way(from, to)} ${mode}`,
      ),
    )
    const batch = withKeys((key) =>
      text([
        ...halves.map(
          (from, at) =>
            `xfrm state add ${way(from, otherOf(from))} spi 0x70${from.index} ${mode} if_id ${ESP_ID} replay-window 64 flag af-unspec ${AES_GCM} ${key(`0x${keys[at] ?? ''}`)} 128`,
        ),
        ...policies,
      ]),
    )
    return [own.nodeRole, { argv: ipBatchArgv, ...batch }]
  })
}

/** The commands that give both nodes' new devices their keys, with the node's role. */
export function encryptedEnds(kind: EncryptedKind): readonly End[] {
  return kind === 'esp' ? espEnds() : wireguardEnds()
}
