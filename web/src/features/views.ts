/** The views that a feature can have of its own. */
import type { Capture } from '@expresslane/shared/measure/capture'
import type { ArmPlan } from '@expresslane/shared/measure/experiment'
import type { Family } from '@expresslane/shared/base/units'
import type { RunState } from '@expresslane/shared/run/run-state'
import type { Link } from '@expresslane/shared/testbed/reading'
import type { ComponentType, LazyExoticComponent } from 'react'
import type { FollowedPath } from '../api/follow.ts'

export interface PathViewProps {
  /** Null before the first reading. */
  path: FollowedPath | null
  family: Family
  /** The runs of the session. */
  runs: readonly RunState[]
  /** For a projector: the places from left to right, without details that only a reader nearby needs. */
  wide: boolean
}

export interface CaptureViewProps {
  capture: Capture
  /** The runs of the session: the capture of the other arm is shown next to this capture. */
  runs: readonly RunState[]
  /** The lab's arms. */
  arms: readonly ArmPlan[]
  /** For a projector: only how many packets carried each message. */
  brief?: boolean
  /** The chosen packet, and how to choose: its arm and its place in the capture. Null for the first with data. */
  chosen?: string | null
  onChoose?: (id: string) => void
}

export interface PiecesProps {
  capture: Capture
  /** All captures that are shown, including this capture: they share their axes. */
  captures: readonly Capture[]
}

/**
 * Views that the follower's page shows, too: they use nothing of Recharts or TanStack Query. They load when they
 * are shown, so that this page does not grow with each feature.
 */
type Light<Props> = LazyExoticComponent<ComponentType<Props>>

/** The body of the path panel. */
export type PathView = Light<PathViewProps>
/** Each message of a request as the packets that carried it. */
export type PiecesView = Light<PiecesProps>

/** The columns of a table with each device of the path, besides its place and its name. */
export interface DeviceColumns {
  /** A marked text, as the columns' names. */
  readonly title: string
  readonly caption: (family: Family) => string
  readonly columns: readonly {
    readonly name: string
    readonly value: (device: Link, family: Family) => string
    /** Whether the values are numbers, to be aligned. */
    readonly number?: boolean
  }[]
}

/** The views of one feature. A missing view is left out or replaced by a view that fits any feature. */
export interface FeatureViews {
  /** The devices of a path that a step read. */
  readonly devices?: DeviceColumns
  /** The captured packets of a request. */
  readonly Capture?: ComponentType<CaptureViewProps>
}
