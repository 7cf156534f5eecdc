/** The kernels that a batch can have: those that are prepared here, and those that Debian offers. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { LabError } from '@expresslane/shared/base/errors'
import { byRelease } from '@expresslane/shared/compare/by-kernel'
import { z } from 'zod'
import { findPrepared, preparedMachines } from '../testbeds/counted/prepared.ts'

const runner = fileURLToPath(new URL('../../../scripts/run.mjs', import.meta.url))

/** The releases that are prepared on this machine. */
async function preparedReleases(): Promise<string[]> {
  return (await preparedMachines()).map(({ release }) => release)
}

/**
 * @param asked the releases, or all that are prepared here; null for the default
 * @param here whether the cells run on this machine, and so need their kernels here
 * @throws LabError `testbed_unavailable` for a kernel that is not prepared here
 */
export async function chosenKernels(
  asked: readonly string[] | 'all' | null,
  byDefault: string | null,
  here: boolean,
): Promise<(string | null)[]> {
  const named = asked === 'all' ? await preparedReleases() : (asked ?? [])
  const releases = named.length === 0 ? [byDefault] : [...named]
  if (here) for (const release of releases) await findPrepared(release)
  return releases
}

/** Runs `npm run kernel`; its messages go to stderr. @returns its output; null if it failed */
async function kernelCommand(words: string, signal: AbortSignal): Promise<string | null> {
  const child = spawn(process.execPath, [runner, 'kernel', words], { stdio: ['ignore', 'pipe', 'inherit'], signal })
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
  return child.exitCode === 0 ? output : null
}

/**
 * The kernels between two, both included: those that are prepared here, and those that Debian offers.
 *
 * @returns from the first end to the second
 * @throws LabError `bad_request` outside of a checkout; `tool_failed` without Debian's list; `signal.reason`
 */
export async function kernelsBetween(good: string, bad: string, signal: AbortSignal): Promise<string[]> {
  if (!existsSync(runner)) {
    const message = 'bisect prepares kernels, and only a checkout of Expresslane can do that.'
    throw new LabError('bad_request', message, 'Run it in a checkout of the source, on a Debian system.')
  }
  const output = await kernelCommand('--json', signal)
  if (output === null) {
    throw new LabError(
      'tool_failed',
      'The list of Debian’s kernels could not be read.',
      'The lines above say why. Then try again.',
    )
  }
  const { releases } = z.object({ releases: z.array(z.string()) }).parse(JSON.parse(output))
  const [low = good, high = bad] = [good, bad].toSorted(byRelease)
  const between = [...new Set([...releases, ...(await preparedReleases()), good, bad])]
    .filter((release) => byRelease(low, release) <= 0 && byRelease(release, high) <= 0)
    .toSorted(byRelease)
  return low === good ? between : between.toReversed()
}

/** Prepares a kernel that is not here. @returns false if that fails: its messages have said why */
export async function prepareKernel(release: string, signal: AbortSignal): Promise<boolean> {
  return (await preparedReleases()).includes(release) || (await kernelCommand(release, signal)) !== null
}
