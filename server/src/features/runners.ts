/** How tools are run: by their runner, and watched by the features whose settings the pods have. */
import { featuresOf } from '@expresslane/shared/features/settings'
import type { Settings } from '@expresslane/shared/base/settings'
import { commonRunners } from '../benchmarks/common.ts'
import type { RunBenchmark } from '../benchmarks/invocation.ts'
import type { ServerFeature, WatchRun } from './feature.ts'
import { serverFeatures } from './registry.ts'

const all: readonly ServerFeature[] = serverFeatures

/** How each tool is run, by tool. */
export const benchmarkRunners: ReadonlyMap<string, RunBenchmark> = new Map([
  ...Object.entries(commonRunners),
  ...all.flatMap(({ runners = {} }) => Object.entries(runners)),
])

/** What watches every run under these settings. */
export function watchersOf(settings: Settings): WatchRun[] {
  const concerned = featuresOf(settings)
  return all.flatMap(({ id, watch }) => (watch !== undefined && concerned.some((one) => one.id === id) ? [watch] : []))
}
