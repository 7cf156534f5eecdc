/** The learning platforms of `EXPRESSLANE_LTI`, a file in JSON. */
import { readFileSync } from 'node:fs'
import { LabError } from '@expresslane/shared/base/errors'
import { z } from 'zod'
import { isLoopback } from '../../config.ts'

function isSafe(text: string): boolean {
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

const address = z.url().refine(isSafe, { error: 'expected an address with https' })
const id = z.string().min(1).max(255)

const platform = z.strictObject({
  /** `iss` of its tokens. */
  issuer: id,
  clientId: id,
  deployments: z.array(id).min(1),
  authUrl: address,
  tokenUrl: address,
  jwksUrl: address,
  /** `aud` of the tool's requests for a token, where that is not the token's address. */
  tokenAudience: id.optional(),
  /** The origins of the pages that show a lab inside them. */
  origins: z.array(address.refine((text) => new URL(text).origin === text, { error: 'expected an origin' })).min(1),
})
export type Platform = z.infer<typeof platform>

const file = z
  .strictObject({ platforms: z.array(platform).min(1).max(100) })
  .refine(({ platforms }) => new Set(platforms.map(keyOf)).size === platforms.length, {
    error: 'two platforms have the same issuer and client id',
  })

function keyOf({ issuer, clientId }: Pick<Platform, 'issuer' | 'clientId'>): string {
  return JSON.stringify([issuer, clientId])
}

function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError) {
    const [issue] = error.issues
    return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`
  }
  return error instanceof Error ? error.message : String(error)
}

/** @throws LabError `config_invalid` that names the wrong field */
export function readPlatforms(path: string): readonly Platform[] {
  try {
    return file.parse(JSON.parse(readFileSync(path, 'utf8'))).platforms
  } catch (error) {
    throw new LabError(
      'config_invalid',
      `EXPRESSLANE_LTI names ${path}, which does not describe the learning platforms.`,
      'Correct the file as docs/completion.md shows it, or unset EXPRESSLANE_LTI.',
      { cause: error, detail: reasonOf(error) },
    )
  }
}
