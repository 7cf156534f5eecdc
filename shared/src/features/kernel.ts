/** The kernel that a testbed boots, where it has several: a setting of the whole testbed, of any feature's arms. Pure. */
import { z } from 'zod'
import type { Settings } from '../base/settings.ts'
import type { Observation } from '../base/observation.ts'
import type { DatapathState } from '../testbed/reading.ts'
import type { Setting } from './feature.ts'

export const KERNEL = 'kernel'

/** A release as `uname -r` prints it. */
const kernelRelease = z.string().regex(/^[\w.+~-]{1,100}$/)

/** Stands for a kernel besides the default, the oldest of them: a lab's file can't know its release. */
export const OTHER = 'other'

/** Off is the testbed's default kernel. */
export const kernelSetting = {
  id: KERNEL,
  label: 'Kernel',
  schema: kernelRelease.nullable(),
  off: null,
  capability: 'kernels',
  ways: [{ primitive: 'kernels' }],
  readAs: 'kernel',
  ofMachine: true,
  forAllArms: true,
  format: (value) => (value === OTHER ? 'another one' : typeof value === 'string' ? value : 'the default'),
  control: { kind: 'offered' },
} as const satisfies Setting

/** The release of the chosen kernel; null for the testbed's default. */
export function kernelIn(settings: Settings): string | null {
  return kernelRelease
    .nullable()
    .catch(null)
    .parse(settings[KERNEL] ?? null)
}

/** An arm of another kernel with its release. @param releases as a testbed offers them: the default, then the newest first */
export function withRelease<Arm extends { readonly label: string; readonly settings: Settings }>(
  arm: Arm,
  releases: readonly string[],
): Arm {
  const other = releases.at(-1)
  if (kernelIn(arm.settings) !== OTHER || other === undefined) return arm
  return {
    ...arm,
    label: `${arm.label}, ${other.replace(/-cloud-amd64$/, '')}`,
    settings: { ...arm.settings, [KERNEL]: other },
  }
}

/** Checks which kernel runs, as it says itself; empty where there is no choice and none was asked for. */
export function observeKernel(wanted: Settings, { carried }: Pick<DatapathState, 'carried'>): Observation[] {
  const [want, seen] = [kernelIn(wanted), carried[KERNEL]]
  if (seen === undefined && want === null) return []
  return [
    {
      label: 'kernel',
      expected: kernelSetting.format(want),
      seen: seen === undefined ? 'unknown' : kernelSetting.format(seen),
      ok: seen === want,
    },
  ]
}
