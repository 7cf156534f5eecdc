/** What a feature does on a testbed: the server's half of `shared/src/features`. */
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import type { Settings } from '@expresslane/shared/measure/settings'
import type { Family } from '@expresslane/shared/measure/units'
import type { Observation } from '@expresslane/shared/run/observation'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { RunBenchmark } from '../runs/benchmarks/invocation.ts'

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
}

export interface ServerFeature {
  /** That of its half in `shared`. */
  readonly id: string
  /** One observation for each value of the path that the feature knows of, in the path's order. */
  readonly observe: (state: DatapathState, expected: Expected) => Observation[]
  /** How the feature's tools are run, by tool; those of another feature need no second entry. */
  readonly runners: Readonly<Record<string, RunBenchmark>>
  /** Null for sentences that fit any feature. */
  readonly sentences: FeatureSentences | null
}
