/** The kernels that a batch can have: those that are prepared here, and those that Debian offers. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { LabError } from '@expresslane/shared/base/errors'
import { byRelease } from '@expresslane/shared/compare/by-kernel'
import { kernelRelease } from '@expresslane/shared/wire/batch'
import { z } from 'zod'
import { findPrepared, preparedMachines } from '../testbeds/counted/prepared.ts'

const runner = fileURLToPath(new URL('../../../scripts/run.mjs', import.meta.url))

/** The releases that are prepared on this machine. */
async function preparedReleases(): Promise<string[]> {
  return (await preparedMachines()).map(({ release }) => release)
}

/**
 * @param asked the releases, or all that are prepared here; null for the machine's default
 * @param here whether the cells run on this machine, and so need their kernels here
 * @throws LabError `testbed_unavailable` for a kernel that is not prepared here
 */
export async function chosenKernels(
  asked: readonly string[] | 'all' | null,
  byDefault: string | null,
  here: boolean,
): Promise<(string | null)[]> {
  const prepared = asked === 'all' ? await preparedReleases() : (asked ?? [])
  const releases = prepared.length === 0 ? [byDefault] : [...prepared]
  if (here) for (const release of releases) await findPrepared(release)
  return releases
}

/** @throws LabError `bad_request` outside of a checkout */
function requireCheckout(): void {
  if (existsSync(runner)) return
  throw new LabError(
    'bad_request',
    'bisect gets kernels, and this is no checkout of Expresslane, which could.',
    'Run it in a checkout of the source, on a Debian system.',
  )
}

/** Runs `npm run kernel`; its messages are those of this process. @returns its output; null if it failed */
async function kernelCommand(args: readonly string[], signal: AbortSignal): Promise<string | null> {
  const child = spawn(process.execPath, [runner, 'kernel', ...args], { stdio: ['ignore', 'pipe', 'inherit'], signal })
  const ended = once(child, 'close')
  const [output, [code]] = await Promise.all([text(child.stdout), ended]).catch((error: unknown) => {
    signal.throwIfAborted()
    throw error
  })
  return code === 0 ? output : null
}

const listed = z.object({ releases: z.array(kernelRelease) })

/**
 * The kernels between two, both included: those that are prepared here, and those that Debian offers.
 *
 * @returns from the first end to the second
 * @throws LabError `bad_request` outside of a checkout, and for ends that are alike; `tool_failed` without Debian's list
 */
export async function kernelsBetween(good: string, bad: string, signal: AbortSignal): Promise<string[]> {
  requireCheckout()
  if (good === bad) throw new LabError('bad_request', 'Both ends are the same kernel.', 'Name two kernels.')
  const output = await kernelCommand(['--json'], signal)
  if (output === null) {
    throw new LabError(
      'tool_failed',
      'The list of kernels could not be had.',
      'The lines above say why. Then try again.',
    )
  }
  const known = [...listed.parse(JSON.parse(output)).releases, ...(await preparedReleases()), good, bad]
  const [low = good, high = bad] = [good, bad].toSorted(byRelease)
  const between = [...new Set(known)]
    .filter((release) => byRelease(low, release) <= 0 && byRelease(release, high) <= 0)
    .toSorted(byRelease)
  return low === good ? between : between.toReversed()
}

/** Prepares a kernel that is not here. @returns false if that fails: its messages have said why */
export async function prepareKernel(release: string, signal: AbortSignal): Promise<boolean> {
  if ((await preparedReleases()).includes(release)) return true
  return (await kernelCommand([release], signal)) !== null
}
