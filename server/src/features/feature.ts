/** The server's half of a feature: its work on a testbed. The other half is in `shared/src/features`. */
import type { Capture } from '@expresslane/shared/measure/capture'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import type { MetricValues } from '@expresslane/shared/measure/metrics'
import type { Settings } from '@expresslane/shared/base/settings'
import type { Family } from '@expresslane/shared/base/units'
import type { Exhibit } from '@expresslane/shared/run/exhibit'
import type { Observation } from '@expresslane/shared/base/observation'
import type { DatapathState, HookReading } from '@expresslane/shared/testbed/reading'
import type { Placement } from '@expresslane/shared/testbed/placement'
import type { CiliumKey } from '../testbeds/cilium-key.ts'
import type { ClusterChecks } from '../testbeds/cluster-view.ts'
import type { Target } from '../testbeds/target.ts'
import type { Fed, Held, Tried, TrySettings } from '../testbeds/testbed.ts'
import type { Topology } from '../testbeds/topology.ts'
import type { Watch } from '../benchmarks/watch-frames.ts'
import type { Runners } from '../tools/registry.ts'
import type { CapturedFrame } from '../tools/tcpdump.ts'

/** The expected state of a path. Missing parts are not checked. */
export interface Expected {
  readonly families: readonly Family[]
  /** The requested settings, checked in every layer that reports them. */
  readonly intent?: Settings
  /** The settings of the nodes' native devices. */
  readonly nodes?: Settings
  /** The settings of the pods' devices. */
  readonly pods?: Settings
}

/** A step's results as sentences for people. */
export interface FeatureSentences {
  /** Every layer has the settings of the arm. */
  readonly verified: (arm: ArmPlan, families: readonly Family[]) => string
  /** Some layers differ: the beginning of the sentence. */
  readonly notVerified: (arm: ArmPlan, families: readonly Family[]) => string
  /** The nodes have the settings of the arm. */
  readonly switched: (arm: ArmPlan, families: readonly Family[], state: DatapathState) => string
  /** Nodes and pods have their expected settings, which can differ from each other. */
  readonly carried: (families: readonly Family[], state: DatapathState) => string
}

/** How a command ended. */
export interface Answer {
  /** Whether its exit code was 0. */
  readonly ok: boolean
  /** Its output, of both streams in their order. */
  readonly lines: readonly string[]
}

/** The workload's pods, to run commands in. */
export interface Pods {
  readonly placement: Placement
  /** @returns the command's stdout @throws LabError `tool_failed`; `signal.reason` */
  readonly run: (target: Target, argv: readonly string[]) => Promise<string>
  /** The same for a long output, which the run's log leaves out. */
  readonly look: (target: Target, argv: readonly string[]) => Promise<string>
  /** Runs a command whose exit code is part of its answer. @throws LabError of the testbed; `signal.reason` */
  readonly ask: (target: Target, argv: readonly string[]) => Promise<Answer>
  /** Runs a command with input. @throws LabError `bad_request` on a testbed that can't */
  readonly feed: (target: Target, fed: Fed) => Promise<void>
  /** Starts a process that ends with the pods, unless the same one runs. @throws LabError `bad_request` on a testbed that can't */
  readonly hold: (target: Target, held: Held) => Promise<void>
}

/** Settings that commands in the pods set and read: testbeds do not know them. */
export interface PodSettings {
  /** The ids of the settings that are set together. */
  readonly settings: readonly string[]
  /** Called for new pods once one of the settings was requested, with the values of all of them, also off. */
  readonly set: (values: Settings, pods: Pods) => Promise<void>
  /** The values that the pods have. */
  readonly read: (pods: Pods) => Promise<Settings>
  /** The kernel's readings of the hooks that handle the pods' packets. It gets the same object as `read`. */
  readonly readHooks?: (pods: Pods) => Promise<HookReading[]>
}

/** Reads counters before a run of any tool. The function that it resolves to reads them after it, and gives their metrics. */
export type WatchRun = (pods: Pods) => Promise<() => Promise<MetricValues>>

/** The arm, the pods and the captures that a probe works with. */
export interface ProbeRun {
  readonly arm: ArmPlan
  readonly pods: Pods
  /** Shows something at once. */
  readonly show: (exhibit: Exhibit) => void
  /** Tries settings on one node, and restores them (`trySettings` of the testbed); null on a testbed that can't. */
  readonly trySettings: ((tried: TrySettings) => Promise<Tried>) | null
  /** Does some work while packets are captured. @throws LabError `tool_failed` if packets do not come in time */
  readonly capture: <T>(captures: readonly Watch[], work: () => Promise<T>) => Promise<Captured<T>>
}

export interface Captured<T> {
  readonly result: T
  /** The packets of each capture. */
  readonly frames: readonly (readonly CapturedFrame[])[]
}

/** The outcome of a probe: its checks, and a sentence for the case that all is as expected. */
export interface ProbeOutcome {
  readonly sentence: string
  readonly observations: readonly Observation[]
  /** The testbed lacks something that the probe needs. The sentence has the reason. */
  readonly leftOut?: true
}

export type RunProbe = (run: ProbeRun) => Promise<ProbeOutcome>

export interface ServerFeature {
  /** The id of the feature in `shared`. */
  readonly id: string
  /** Checks the path: one observation per value, in the path's order. */
  readonly observe: (state: DatapathState, expected: Expected) => Observation[]
  /** Says in a sentence why a path is not as expected; null if it knows no more than the observations. */
  readonly hint?: (state: DatapathState, expected: Expected) => string | null
  /** Checks the captured packets of one request under an arm; null if the feature expects nothing of packets. */
  readonly observeCapture: ((capture: Capture, arm: ArmPlan, state: DatapathState) => Observation[]) | null
  /** The place of its labs on a machine: its own topology, with a name (`topology` in `shared`), or the common one. */
  readonly topology?: Topology
  /** The keys of Cilium's ConfigMap that its settings are on a cluster. */
  readonly ciliumKeys?: readonly CiliumKey[]
  /** Its checks of a cluster, for the cluster's preflight. */
  readonly clusterChecks?: ClusterChecks
  /** The feature's settings that commands in the pods set. */
  readonly podSettings: readonly PodSettings[]
  /** Runs the feature's own tools, by tool. @defaultValue none: `tools/registry.ts` has the runners of the other tools */
  readonly runners?: Runners
  /** Adds to the measurements of any tool under the feature's settings. @defaultValue nothing */
  readonly watch?: WatchRun
  /** Performs the feature's probes, by id. */
  readonly probes?: Readonly<Record<string, RunProbe>>
  /** Null to use sentences that fit any feature. */
  readonly sentences: FeatureSentences | null
}
