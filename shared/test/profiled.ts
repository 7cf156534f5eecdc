/** Real profiles for tests. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { madeProfile, type ArmProfile } from '../src/profile/made.ts'

const file = join(import.meta.dirname, 'fixtures/profile/big-tcp.json')

/** A request of 80,000 bytes and its response on the counted machine, without and with BIG TCP over IPv4. */
export const bigTcp = z.object({ off: madeProfile, on: madeProfile }).parse(JSON.parse(readFileSync(file, 'utf8')))

/** Each arm's profile, as a run has it. */
export function bigTcpProfiles(caseId: string | null = null): ArmProfile[] {
  return (['off', 'on'] as const).map((arm) => ({ arm, caseId, profile: bigTcp[arm], reason: null }))
}
