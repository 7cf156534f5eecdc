/** The files of `--profile`: all profiles as JSON, and each arm's stacks as other tools open them. */
import { writeFile } from 'node:fs/promises'
import { parse, join } from 'node:path'
import { collapsedStacks } from '@expresslane/shared/profile/profile'
import { contextsOf } from '@expresslane/shared/profile/made'
import { runsSinceReset } from '@expresslane/shared/run/progress'
import type { RunState } from '@expresslane/shared/run/run-state'
import { notWritten, writeResult } from './result-file.ts'

/** Characters of ids that a file's name keeps. */
const OTHERS = /[^\w.-]+/g

/**
 * Writes the profiles of a session's runs.
 *
 * @returns a line for each profile: its file of collapsed stacks (Brendan Gregg's format), or why there is no profile
 * @throws LabError `bad_request`, `data_full`
 */
export async function writeProfiles(file: string, labId: string, runs: readonly RunState[]): Promise<string[]> {
  const made = runsSinceReset(runs).flatMap(({ stepId: step, profiles }) => profiles.map((one) => ({ step, ...one })))
  await writeResult(file, { lab: labId, profiles: made })
  const { dir, name } = parse(file)
  const lines: string[] = []
  for (const { step, arm, caseId, profile, reason } of made) {
    if (profile === null) {
      lines.push(`No profile of ${arm}: ${reason}`)
      continue
    }
    const stacks = join(
      dir,
      `${[name, step, caseId, arm]
        .filter((part) => part !== null)
        .join('-')
        .replace(OTHERS, '_')}.folded`,
    )
    const text = [...collapsedStacks(contextsOf(profile))].map((line) => `${line}\n`).join('')
    await writeFile(stacks, text).catch((error: unknown) => Promise.reject(notWritten(stacks, error)))
    lines.push(`Profile of ${arm}: ${stacks}`)
  }
  return lines
}
