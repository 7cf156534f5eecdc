/** Signs records with the server's own key, which is made once and kept in the data directory. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { LabError } from '@expresslane/shared/base/errors'
import type { EpochMs } from '@expresslane/shared/base/units'
import { SignJWT } from 'jose'
import { readPrivate, writePrivate } from '../store/file/private.ts'
import { ALGORITHM, credential, didOf, keyIdOf, MEDIA_TYPE, type Credential } from './credential.ts'

export interface Signer {
  /** The name of the key, which contains its public part. */
  readonly did: string
  /** @returns the record as the text of a file */
  sign(subject: Credential['credentialSubject'], now: EpochMs): Promise<string>
}

function unusable(file: string, cause: unknown): LabError {
  return new LabError(
    'config_invalid',
    `${file} does not hold an Ed25519 key.`,
    'Bring the file back from a copy. Or remove it: Expresslane then makes a new key, and new records have another issuer.',
    { cause },
  )
}

function read(file: string, text: string): KeyObject {
  try {
    const key = createPrivateKey(text)
    if (key.asymmetricKeyType === 'ed25519') return key
  } catch (error) {
    throw unusable(file, error)
  }
  throw unusable(file, null)
}

/** @throws LabError `data_exposed`, `data_unwritable`, `config_invalid` for a file that holds another key or none */
function keptKey(dataDir: string): KeyObject {
  const file = join(dataDir, 'record.key')
  const kept = readPrivate(file)
  if (kept !== null) return read(file, kept)
  const { privateKey } = generateKeyPairSync('ed25519')
  try {
    writePrivate(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  } catch (error) {
    throw new LabError(
      'data_unwritable',
      `Expresslane can't write its key to ${file}.`,
      'Make the directory writable, or set EXPRESSLANE_DATA to another directory.',
      { cause: error, detail: error instanceof Error ? error.message : String(error) },
    )
  }
  return privateKey
}

/** @throws LabError `data_exposed`, `data_unwritable`, `config_invalid` */
export function openSigner(dataDir: string): Signer {
  const key = keptKey(dataDir)
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
