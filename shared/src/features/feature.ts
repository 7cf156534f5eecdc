/** A feature is a part of the datapath that a lab switches, as data and pure functions. Two registries list all features. */
import { z } from 'zod'
import type { Published } from './published.ts'
import type { Benchmark, BenchmarkKind, ToolId } from '../measure/benchmark.ts'
import type { Clock } from '../measure/clock.ts'
import type { Design } from '../measure/experiment.ts'
import type { Measurement } from '../measure/measurement.ts'
import type { Metric } from '../measure/metrics.ts'
import type { Settings, SettingValue } from '../base/settings.ts'
import type { Family } from '../base/units.ts'
import type { Observation } from '../base/observation.ts'
import type { DatapathState } from '../testbed/reading.ts'
import type { Role } from '../testbed/placement.ts'
import type { Primitive, Primitives } from '../testbed/primitive.ts'
import type { Capability } from '../testbed/testbed.ts'

export const featureId = z.string().regex(/^[a-z][a-z0-9-]{0,40}$/)

/** The name of a probe of a feature. */
export const probeId = z.string().regex(/^[a-z][a-z0-9-]{0,40}$/)

/** How a person sets a value in a form. */
export type Control =
  | { readonly kind: 'switch' }
  | { readonly kind: 'choice'; readonly options: readonly (readonly [SettingValue, string])[] }
  /** A choice of values that only the testbed can list; off stands for the first. */
  | { readonly kind: 'offered' }
  | {
      readonly kind: 'text'
      /** A word or two in front of the field: `limit`. */
      readonly prefix: string
      /** Shown in an empty field, which means off. */
      readonly placeholder: string
      /** Shown instead while the setting has no effect ({@link Setting.dependsOn}). */
      readonly idlePlaceholder?: string
      /** The value of a text, which is never empty; null if the text is not valid. */
      readonly parse: (text: string) => SettingValue
      /** The text for a value that is not off. */
      readonly write: (value: SettingValue) => string
      /** The error for a text that is not valid. */
      readonly wrong: (text: string) => string
    }

/** A typed knob of a feature. */
export interface Setting {
  readonly id: string
  /** The name for people. Settings with the same label differ only by family, and share one control in a form. */
  readonly label: string
  /** The valid values, with bounds. */
  readonly schema: z.ZodType<SettingValue>
  /** The value of an unchanged path. */
  readonly off: SettingValue
  /** The capability that any value but off needs; null for none. */
  readonly capability: Capability | null
  /** For values that need different capabilities: the capability of a value; null for none. */
  readonly capabilityOf?: (value: SettingValue) => Capability | null
  /**
   * How testbeds set it: the first way that a testbed has. A feature's commands in the pods set a setting without ways.
   *
   * @defaultValue a primitive of the same name
   */
  readonly ways?: readonly Way[]
  /** For a setting that only concerns packets of one family. */
  readonly family?: Family
  /** The setting only has an effect if one of these settings is not off. */
  readonly dependsOn?: readonly string[]
  /** Its column in a table of measurements. @defaultValue the id with underscores */
  readonly column?: string
  /** The fingerprint's field with its actual value, so that a difference is not reported twice. */
  readonly readAs?: 'mtu' | 'cpus' | 'kernel'
  /** The setting belongs to the whole machine: a new value changes the machine's facts, and the pods are gone. */
  readonly ofMachine?: true
  /** Usually the same in all arms, so a lab's experiment offers it once for all arms that do not have it. */
  readonly forAllArms?: boolean
  /** The setting has an owner: if its earlier value is unknown, a reset leaves the setting alone and never turns it off. */
  readonly staysAsFound?: boolean
  /** The effect of each choice on a measurement, as a term and a sentence; shown with the control. */
  readonly explained?: readonly (readonly [term: string, does: string])[]
  /** Why the devices of a path can't take a value, in a sentence; null if they can. */
  readonly refusedBy?: (value: SettingValue, path: DatapathState) => string | null
  /** Whether a counted machine takes minutes to set a value: there, labs leave out the cases that need it. */
  readonly takesLong?: (value: SettingValue) => boolean
  readonly format: (value: SettingValue) => string
  readonly control: Control
}

/** Something that a lab can need of a testbed. */
export interface KnownCapability {
  readonly id: Capability
  /** Its name for people, within a sentence: `setting the send limit`. */
  readonly name: string
  /** The primitives that it needs, the most telling first; of several in one, any will do. */
  readonly needs: readonly (Primitive | readonly Primitive[])[]
}

/** How a testbed sets a setting. */
export interface Way {
  /** The primitive whose value it is: `mtu`, `cilium-config/bpf-lb-mode`. */
  readonly primitive: string
  /** The primitive's value for each value of the setting. @defaultValue the same */
  readonly values?: readonly (readonly [setting: SettingValue, primitive: SettingValue])[]
}

/** A few packets of a feature's own, to be followed through the path. */
export interface Probe {
  readonly id: string
  /** The capabilities that it needs of a testbed, in addition to the arm's needs. */
  readonly needs: readonly Capability[]
}

export interface ProofInput {
  /** The settings of the arm. */
  readonly settings: Settings
  readonly benchmark: Benchmark
  readonly family: Family
  /** All repeats of the benchmark under the arm, without warm-ups. */
  readonly measurements: readonly Measurement[]
  /** The reading of the path after the switch to the arm. */
  readonly datapath: DatapathState
}

export interface ArmName {
  readonly id: string
  readonly label: string
}

/** Arms that differ by how much of the feature they have. */
export interface Sweep {
  /** The name of the quantity that the arms have more or less of: `limit`. */
  readonly noun: string
  readonly rank: (settings: Settings) => number
}

/** An experiment to start from on the Bench page. */
export interface Preset {
  readonly name: string
  readonly tool: ToolId
  readonly families: readonly Family[]
  /** The sizes of requests as a person writes them: `1, 16k, 80k`. Other tools ignore it. */
  readonly sizes: string
  readonly arms: readonly Settings[]
  readonly design: Design
}

/** A feature as the start page knows it: names, and where its labs run. The other parts load with other pages. */
export interface FeatureAbout {
  readonly id: string
  readonly name: string
  readonly capabilities: readonly KnownCapability[]
  /** Its own reasons where a testbed without Cilium lacks a primitive that its capabilities need. @defaultValue the testbed's */
  readonly without?: Partial<Primitives>
  /** The same on a cluster with Cilium. */
  readonly onCluster?: Partial<Primitives>
  /** Names of roles for people, where they differ from the id. */
  readonly roleNames?: Readonly<Record<Role, string>>
  /** Programs in its words whose names are written small, also at the beginning of a sentence. */
  readonly programs?: readonly string[]
  /** The topology that its labs need on this machine, which has a testbed of its own. @defaultValue two pods on two nodes */
  readonly topology?: string
}

export interface Feature extends FeatureAbout {
  readonly settings: readonly Setting[]
  /** The roles of its workload's pods. */
  readonly roles: readonly Role[]
  /** The role whose address its benchmarks call. @defaultValue the server */
  readonly called?: Role
  /** An address of that role as it is given to tools. @defaultValue as it is */
  readonly calledAs?: (address: string, of: Family) => string
  /** Its metrics in addition to the common metrics. */
  readonly metrics: readonly Metric[]
  /** The tools that its labs and the Bench page offer. */
  readonly benchmarks: readonly BenchmarkKind[]
  /**
   * Checks with the measurements and the path that an arm had its settings. Empty if there is nothing to prove, because
   * the tool's values do not depend on the settings. The run then passes without a proof.
   */
  readonly proof: (input: ProofInput) => Observation[]
  /** The probes of its labs, which look at packets of their own. The server's half performs them. @defaultValue none */
  readonly probes?: readonly Probe[]
  /**
   * Seconds that new pods take longer with these settings, for the estimate of an experiment's length. Where the clock counts
   * instructions, each command takes some hundredths of a second, and the kernel's check of a program half a second or more.
   *
   * @defaultValue none
   */
  readonly extraSeconds?: (settings: Settings, clock: Clock) => number
  /** Names an arm of the Bench page. */
  readonly nameArm: (settings: Settings) => ArmName
  /** Names an arm within a sentence: `with BIG TCP`. */
  readonly phrase: (settings: Settings) => string
  /** The settings of arms by id, for measurements of old versions, which do not record them. */
  readonly unrecordedArms?: Readonly<Record<string, Settings>>
  /** The Bench page starts with the first preset of the first feature. */
  readonly presets?: readonly Preset[]
  /** Figures that others published for its settings. @defaultValue none */
  readonly published?: Published
  /** A few sentences of Markdown on how to use it on a cluster of one's own. @defaultValue none */
  readonly onYourCluster?: string
  /** The order of arms in a sweep. Without it, experiments are not shown as sweeps. */
  readonly sweep?: Sweep
}
