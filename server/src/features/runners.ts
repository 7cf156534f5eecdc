import type { RunBenchmark } from '../benchmarks/invocation.ts'
import type { ServerFeature } from './feature.ts'
import { serverFeatures } from './registry.ts'

const all: readonly ServerFeature[] = serverFeatures

/** How each tool is run, by tool. */
export const benchmarkRunners: ReadonlyMap<string, RunBenchmark> = new Map(
  all.flatMap(({ runners }) => Object.entries(runners)),
)
