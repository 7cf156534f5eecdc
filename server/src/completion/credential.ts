/**
 * The signed record of completed labs: a W3C Verifiable Credential as a JWT, signed with Ed25519 by a key that its issuer's
 * name contains.
 *
 * @see https://www.w3.org/TR/vc-data-model-2.0/
 * @see https://www.w3.org/TR/vc-jose-cose/
 * @see https://w3c-ccg.github.io/did-key-spec/
 */
import { comparedRow } from '@expresslane/shared/compare/comparison'
import { testbedKind } from '@expresslane/shared/testbed/testbed'
import { base58btc } from 'multiformats/bases/base58'
import { z } from 'zod'

/** RFC 8037. */
export const ALGORITHM = 'EdDSA'
export const MEDIA_TYPE = 'vc+jwt'

const text = z.string().max(1000)

export const completedLab = z.strictObject({
  lab: text,
  title: text,
  /** The digest of the lab's contents: another edition has another digest. */
  digest: text,
  testbed: testbedKind,
  completedAt: z.iso.datetime(),
  /** The main metric of each comparison. */
  comparisons: z.array(
    comparedRow
      .pick({ metric: true, verdict: true, ratio: true, interval: true })
      .extend({ case: text.nullable(), baseline: text, arm: text }),
  ),
})
export type CompletedLab = z.infer<typeof completedLab>

export const credential = z.strictObject({
  // The second defines terms that no other context does.
  '@context': z.tuple([
    z.literal('https://www.w3.org/ns/credentials/v2'),
    z.literal('https://www.w3.org/ns/credentials/undefined-terms/v2'),
  ]),
  type: z.tuple([z.literal('VerifiableCredential'), z.literal('ExpresslaneRecord')]),
  issuer: z.string(),
  validFrom: z.iso.datetime(),
  /** RFC 7519: a record of somebody else's making can expire. In seconds since the epoch. */
  exp: z.number().exactOptional(),
  credentialSubject: z.strictObject({
    /** As the person joined. */
    name: text,
    completed: z.array(completedLab).min(1),
  }),
})
export type Credential = z.infer<typeof credential>

/** The multicodec of Ed25519 public keys, 0xed, as a varint. */
const ED25519 = Uint8Array.of(0xed, 0x01)
/** 34 bytes with that beginning. */
const DID_KEY = /^did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/

/** @param publicKey 32 bytes in base64url, as in a JWK */
export function didOf(publicKey: string): string {
  return `did:key:${base58btc.encode(Buffer.concat([ED25519, Buffer.from(publicKey, 'base64url')]))}`
}

/** The key that a name contains, as a JWK; null for a name of another form. */
export function keyOf(did: string): { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string } | null {
  if (!DID_KEY.test(did)) return null
  const bytes = base58btc.decode(did.slice('did:key:'.length))
  const isKey = bytes.length === ED25519.length + 32 && ED25519.every((byte, index) => bytes[index] === byte)
  return isKey
    ? { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bytes.slice(ED25519.length)).toString('base64url') }
    : null
}

/** The id of the only key of a `did:key`. */
export function keyIdOf(did: string): string {
  return `${did}#${did.slice('did:key:'.length)}`
}
