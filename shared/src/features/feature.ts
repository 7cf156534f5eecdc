/** What a feature is: what a lab switches, as data and pure functions. The registry lists them all. */
import { z } from 'zod'
import type { Benchmark, BenchmarkKind } from '../measure/benchmark.ts'
import type { Measurement } from '../measure/measurement.ts'
import type { Metric } from '../measure/metrics.ts'
import type { Settings, SettingValue } from '../measure/settings.ts'
import type { Family } from '../measure/units.ts'
import type { Observation } from '../run/observation.ts'
import type { DatapathState } from '../testbed/reading.ts'
import type { Role } from '../testbed/placement.ts'
import type { Capability } from '../testbed/testbed.ts'

export const featureId = z.string().regex(/^[a-z][a-z0-9-]{0,40}$/)

/** How a person sets a value in a form. */
export type Control =
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly options: readonly (readonly [SettingValue, string])[] }
  | {
      readonly kind: 'text'
      /** A word or two in front of the field: `limit`. */
      readonly prefix: string
      /** Shown in an empty field, which means off. */
      readonly placeholder: string
      /** Shown in place of it while the setting has no effect ({@link Setting.dependsOn}). */
      readonly idlePlaceholder?: string
      /** The value of what somebody typed; null where it has none. Text is never empty. */
      readonly parse: (text: string) => SettingValue
      /** What somebody would type for a value that is not off. */
      readonly write: (value: SettingValue) => string
      /** What to say of text that has no value. */
      readonly wrong: (text: string) => string
    }

/** One typed knob of a feature. */
export interface Setting {
  readonly id: string
  /** For people. Two settings of one label are one control in a form: they differ by family alone. */
  readonly label: string
  /** Which values it takes, with bounds. */
  readonly schema: z.ZodType<SettingValue>
  /** The value of a path that nobody changed. */
  readonly off: SettingValue
  /** What a testbed must be capable of to set anything but off; null for nothing. */
  readonly capability: Capability | null
  /** Of a setting that concerns packets of one family alone. */
  readonly family?: Family
  /** It has an effect only where one of these settings is not off. */
  readonly dependsOn?: readonly string[]
  /** Its name in a table of measurements; without one the id with underscores. */
  readonly column?: string
  /** The fingerprint's own field that shows what came of it, so that a difference is not reported twice. */
  readonly readAs?: 'mtu'
  /** What the devices of a path say against a value, in a sentence; null for nothing. */
  readonly refusedBy?: (value: SettingValue, path: DatapathState) => string | null
  readonly format: (value: SettingValue) => string
  readonly control: Control
}

/** What a testbed may be capable of, for people. */
export interface CapabilityWords {
  readonly id: Capability
  /** Within a sentence: `choice of the send limit`. */
  readonly name: string
}

export interface ProofInput {
  /** What the arm asks for. */
  readonly settings: Settings
  readonly benchmark: Benchmark
  readonly family: Family
  /** Every run of the benchmark under the arm, warm-ups left out. */
  readonly measurements: readonly Measurement[]
  /** The path as it was read when it had been set to the arm. */
  readonly datapath: DatapathState
}

export interface ArmName {
  readonly id: string
  readonly label: string
}

export interface Feature {
  readonly id: string
  readonly name: string
  readonly settings: readonly Setting[]
  readonly capabilities: readonly CapabilityWords[]
  /** The places in a topology that its workload runs in. */
  readonly roles: readonly Role[]
  /** What it measures beside the common metrics. */
  readonly metrics: readonly Metric[]
  /** The tools that its labs and the Bench page offer. */
  readonly benchmarks: readonly BenchmarkKind[]
  /** What the measurements and the path show of an arm: did it run as its name says? */
  readonly proof: (input: ProofInput) => Observation[]
  /** What to call an arm that somebody puts together by hand. */
  readonly nameArm: (settings: Settings) => ArmName
  /** An arm within a sentence: `with BIG TCP`. */
  readonly phrase: (settings: Settings) => string
  /** How much of the feature an arm has: puts the arms of a sweep in order. Without it there are no sweeps. */
  readonly rank?: (settings: Settings) => number
}
