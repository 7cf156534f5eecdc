/** Keys that a server makes once and keeps in its data directory, readable only by its owner. */
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { join } from 'node:path'
import { LabError } from '@expresslane/shared/base/errors'
import { readPrivate, writePrivate } from '../store/file/private.ts'

function unusable(file: string, cause: unknown): LabError {
  return new LabError(
    'config_invalid',
    `${file} does not hold the key that Expresslane made.`,
    'Bring the file back from a copy. Or remove it: Expresslane then makes a new key, under another name.',
    { cause },
  )
}

function read(file: string, text: string): KeyObject {
  try {
    return createPrivateKey(text)
  } catch (error) {
    throw unusable(file, error)
  }
}

/**
 * @param make makes the key when there is none yet
 * @throws LabError `data_exposed`, `data_unwritable`, `config_invalid` for a file with a key of another type, or none
 */
export function keptKey(dataDir: string, name: string, type: 'ed25519' | 'rsa', make: () => KeyObject): KeyObject {
  const file = join(dataDir, name)
  const text = readPrivate(file)
  if (text !== null) {
    const kept = read(file, text)
    if (kept.asymmetricKeyType === type) return kept
    throw unusable(file, null)
  }
  const key = make()
  try {
    writePrivate(file, key.export({ type: 'pkcs8', format: 'pem' }).toString())
  } catch (error) {
    throw new LabError(
      'data_unwritable',
      `Expresslane can't write its key to ${file}.`,
      'Make the directory writable, or set EXPRESSLANE_DATA to another directory.',
      { cause: error, detail: error instanceof Error ? error.message : String(error) },
    )
  }
  return key
}
