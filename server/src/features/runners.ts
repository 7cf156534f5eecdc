/** How tools are run: by their runner, and watched by the features whose settings the pods have. */
import { derived } from '@expresslane/shared/base/registry'
import { featuresOf } from '@expresslane/shared/features/settings'
import type { Settings } from '@expresslane/shared/base/settings'
import { runners as pairRunners } from '../tools/registry.ts'
import type { RunBenchmark } from '../benchmarks/invocation.ts'
import type { WatchRun } from './feature.ts'
import { serverFeatures } from './registry.ts'

/** How each tool is run, by tool. */
export const benchmarkRunners = derived(
  (): ReadonlyMap<string, RunBenchmark> =>
    new Map(
      [...pairRunners.all(), ...serverFeatures.all().map(({ runners = {} }) => runners)].flatMap((one) =>
        Object.entries(one),
      ),
    ),
)

/** The features' counters that are read around every run under these settings. */
export function watchersOf(settings: Settings): WatchRun[] {
  const concerned = featuresOf(settings)
  return serverFeatures
    .all()
    .flatMap(({ id, watch }) => (watch !== undefined && concerned.some((one) => one.id === id) ? [watch] : []))
}
