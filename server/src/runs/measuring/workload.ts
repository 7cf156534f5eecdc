import { findFeature } from '@expresslane/shared/features/settings'
import type { Lab } from '@expresslane/shared/labs/lab'
import type { Family } from '@expresslane/shared/base/units'
import { podOf, SERVER, type Placement } from '@expresslane/shared/testbed/placement'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { Workload } from '../../testbeds/workload.ts'

/** The workload of a lab: one pod per role of its feature. */
export function workloadOf({ feature }: Lab): Workload {
  return { roles: findFeature(feature)?.roles ?? [] }
}

/** Pods, and the address that a lab's benchmarks call. */
export interface CalledPods {
  readonly placement: Placement
  readonly address: string
}

/** Null without pods, or if they have no address of that family. */
export function calledIn(
  { placement }: DatapathState,
  family: Family,
  { feature }: Pick<Lab, 'feature'>,
): CalledPods | null {
  const { called = SERVER, calledAs } = findFeature(feature) ?? {}
  const address = podOf(placement, called)?.addresses[family] ?? null
  if (placement === null || address === null) return null
  return { placement, address: calledAs?.(address, family) ?? address }
}
