/** What a feature can show of its own. */
import type { Comparison } from '@expresslane/shared/compare/comparison'
import type { Capture } from '@expresslane/shared/measure/capture'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import type { Family } from '@expresslane/shared/measure/units'
import type { Result } from '@expresslane/shared/run/result'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { ComponentType } from 'react'
import type { FollowedPath } from '../api/follow.ts'

export interface PathViewProps {
  /** Null before the first reading. */
  path: FollowedPath | null
  family: Family
  /** The runs of the session. */
  runs: readonly RunState[]
  /** For a projector: the places from left to right, without what only a reader nearby needs. */
  wide: boolean
}

export interface CaptureViewProps {
  capture: Capture
  /** The runs of the session: the capture of the other arm is shown next to this one. */
  runs: readonly RunState[]
  /** The lab's arms. */
  arms: readonly ArmPlan[]
  /** For a projector: only how many packets carried each message. */
  brief?: boolean
}

export interface PublishedProps {
  comparison: Comparison
  /** The measured family: its results come first. */
  family: Family
}

export interface PublishedRunProps {
  /** All arms of an experiment, and their comparisons. */
  result: Result
}

export interface PiecesProps {
  capture: Capture
  /** All captures that are shown, including this one: they share their axes. */
  captures: readonly Capture[]
}

/** Views that the follower's page shows, too: they use nothing of Mantine, Recharts or TanStack Query. */
export interface LightViews {
  /** The body of the path panel. */
  readonly Path?: ComponentType<PathViewProps>
  /** Each message of a request as the packets that carried it. */
  readonly Pieces?: ComponentType<PiecesProps>
}

/** The views of one feature. A missing one is left out or replaced by one that fits any feature. */
export interface FeatureViews {
  /** The captured packets of a request. */
  readonly Capture?: ComponentType<CaptureViewProps>
  /** Published results next to a comparison. */
  readonly Published?: ComponentType<PublishedProps>
  /** Published results next to an experiment of several arms. */
  readonly PublishedRun?: ComponentType<PublishedRunProps>
}
