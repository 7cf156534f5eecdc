/** Signs records with the server's own key. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { EpochMs } from '@expresslane/shared/base/units'
import { SignJWT } from 'jose'
import { ALGORITHM, credential, didOf, keyIdOf, MEDIA_TYPE, type Credential } from './credential.ts'
import { keptKey } from './kept-key.ts'

export interface Signer {
  /** The name of the key, which contains its public part. */
  readonly did: string
  /** @returns the record as the text of a file */
  sign(subject: Credential['credentialSubject'], now: EpochMs): Promise<string>
}

/** @throws LabError `data_exposed`, `data_unwritable`, `config_invalid` */
export function openSigner(dataDir: string): Signer {
  const key = keptKey(dataDir, 'record.key', 'ed25519', () => generateKeyPairSync('ed25519').privateKey)
  const did = didOf(createPublicKey(key).export({ format: 'jwk' }).x ?? '')
  return {
    did,
    sign(credentialSubject, now) {
      const record = credential.parse({
        '@context': ['https://www.w3.org/ns/credentials/v2', 'https://www.w3.org/ns/credentials/undefined-terms/v2'],
        type: ['VerifiableCredential', 'ExpresslaneRecord'],
        issuer: did,
        validFrom: new Date(now).toISOString(),
        credentialSubject,
      })
      return new SignJWT(record).setProtectedHeader({ alg: ALGORITHM, typ: MEDIA_TYPE, kid: keyIdOf(did) }).sign(key)
    },
  }
}
