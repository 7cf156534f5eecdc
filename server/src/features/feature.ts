/** What a feature does on a testbed: the server's half of `shared/src/features`. */
import type { Capture } from '@expresslane/shared/measure/capture'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import type { Settings, SettingValue } from '@expresslane/shared/measure/settings'
import type { Family } from '@expresslane/shared/measure/units'
import type { Observation } from '@expresslane/shared/run/observation'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { Placement } from '@expresslane/shared/testbed/placement'
import type { Target } from '../testbeds/target.ts'
import type { RunBenchmark } from '../benchmarks/invocation.ts'

/** What a path should show; what is left out is not looked at. */
export interface Expected {
  readonly families: readonly Family[]
  /** What was asked for, in every layer that can say so. */
  readonly intent?: Settings
  /** What the nodes' native devices should carry. */
  readonly nodes?: Settings
  /** What the pods' ends should carry. */
  readonly pods?: Settings
}

/** What a step found, for people. */
export interface FeatureSentences {
  /** Every layer says that the path is set to the arm. */
  readonly verified: (arm: ArmPlan, families: readonly Family[]) => string
  /** Some layer says otherwise: the beginning of the sentence. */
  readonly notVerified: (arm: ArmPlan, families: readonly Family[]) => string
  /** The nodes were switched to the arm. */
  readonly switched: (arm: ArmPlan, families: readonly Family[], state: DatapathState) => string
  /** Nodes and pods have what they should have at this point, which need not be the same. */
  readonly carried: (families: readonly Family[], state: DatapathState) => string
}

/** The workload's pods, to run commands in. */
export interface Pods {
  readonly placement: Placement
  /** @returns what the command printed on stdout. @throws LabError `tool_failed`; `signal.reason` */
  readonly run: (target: Target, argv: readonly string[]) => Promise<string>
}

/** How a setting is set that no testbed sets by itself. */
export interface SettingDriver {
  /** The setting's id. */
  readonly setting: string
  /** In pods that were just made; the value off too. */
  readonly set: (value: SettingValue, pods: Pods) => Promise<void>
  readonly read: (pods: Pods) => Promise<SettingValue>
}

export interface ServerFeature {
  /** That of its half in `shared`. */
  readonly id: string
  /** One observation for each value of the path that the feature knows of, in the path's order. */
  readonly observe: (state: DatapathState, expected: Expected) => Observation[]
  /** Checks the captured packets of one request under an arm; null for a feature without expectations of packets. */
  readonly observeCapture: ((capture: Capture, arm: ArmPlan, state: DatapathState) => Observation[]) | null
  /** Of its settings, those that commands in the pods set. */
  readonly drivers: readonly SettingDriver[]
  /** How the feature's tools are run, by tool; those of another feature need no second entry. */
  readonly runners: Readonly<Record<string, RunBenchmark>>
  /** Null for sentences that fit any feature. */
  readonly sentences: FeatureSentences | null
}
