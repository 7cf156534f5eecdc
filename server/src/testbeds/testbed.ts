/** The interface between a lab and the place where it runs. */
import type { ClusterContext } from '@expresslane/shared/wire/protocol'
import type { RunEvent } from '@expresslane/shared/run/events'
import type { DatapathState } from '@expresslane/shared/testbed/reading'
import type { SharedResources } from './resources.ts'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { Check, TestbedFacts, TestbedKind } from '@expresslane/shared/testbed/testbed'
import type { Placement, PlacementVariant, Role } from '@expresslane/shared/testbed/placement'
import type { Primitives, Values } from '@expresslane/shared/testbed/primitive'
import type { Losses, Profile } from '@expresslane/shared/profile/profile'
import type { CiliumStatus } from '../tools/cilium-status.ts'
import type { ExecOutput, Target } from './target.ts'
import type { Terminal, TerminalStart } from './terminal.ts'
import type { Workload } from './workload.ts'

/** Passed to everything that waits: when to stop, and where to report events. */
export interface CallContext {
  readonly signal: AbortSignal
  /** Receives every command that a testbed runs, as a person would type it. */
  emit(event: RunEvent): void
}

/** A command with its standard input. */
export interface Fed {
  readonly argv: readonly string[]
  readonly input: string
  /** The input that people see in its place: an input with keys stays out of events. @defaultValue the input */
  readonly shown?: string
  /** The command that a person would type in its place. @defaultValue the command */
  readonly typed?: readonly string[]
}

/** A process that keeps running. */
export interface Held {
  readonly argv: readonly string[]
  /** Its standard input, which is then closed. @defaultValue empty */
  readonly input?: string
  /** Whether a line of its output shows that it is ready. */
  isReady(line: string): boolean
}

/** For features that set up their pods with commands of their own. */
export interface PodSetup {
  /** Runs a command with input. @returns the lines of its stdout @throws LabError `tool_failed` */
  feed(target: Target, fed: Fed, context: CallContext): Promise<string[]>
  /**
   * Starts a process that runs until the pods are removed, and waits until it is ready. If the same one runs there, it
   * starts none.
   *
   * @throws LabError `tool_failed` if it ended or did not get ready in time
   */
  hold(target: Target, held: Held, context: CallContext): Promise<void>
}

/** The end of a try of settings on one node. */
export type Tried =
  /** Nothing was changed, for this reason. */
  | { readonly kind: 'denied'; readonly why: string }
  /** The node's agent stopped, with these lines. */
  | { readonly kind: 'refused'; readonly lines: readonly string[] }
  /** It ran with the settings: its own status, and the asked lines of its log. */
  | { readonly kind: 'taken'; readonly status: CiliumStatus; readonly lines: readonly string[] }

/** Settings of the cluster's network to try on one node. */
export interface TrySettings {
  readonly node: string
  /** Keys of Cilium's ConfigMap. */
  readonly data: Readonly<Record<string, string>>
  /** The lines to show of the log of an agent that takes them. */
  readonly about: RegExp
}

/** A profile, and the parts of it that its tree can't hold. */
export interface Profiled extends Losses {
  readonly profile: Profile
  /** How many samples it is from, whose values are ns of CPU time; null if every instruction was counted. */
  readonly samples: number | null
}

export interface Profiler {
  /** True if the profiler counts every instruction; false if it samples. */
  readonly exact: boolean
  /**
   * Profiles all that `work` causes: an exact profiler the commands behind `nodeport mark`, a sampler the testbed's processes.
   *
   * @throws the errors of `work`; LabError `tool_failed` if it caused nothing
   */
  take(work: () => Promise<void>): Promise<Profiled>
}

/** The rest of a testbed whose start takes seconds and memory: a run starts the testbed, and a look at it does not. */
export interface Rest {
  /** Whether it is not started. */
  isNow(): boolean
  /** The checks that need no start. */
  checks(): Promise<readonly Check[]>
}

export interface Terminals {
  /** The names of the places, in the order of the path. Those of pods can be used while there are pods. */
  readonly places: readonly string[]
  /**
   * Opens a terminal with a shell at a place. It ends with the place, and with the testbed.
   *
   * @throws LabError `not_found` for a place that is not there, `step_not_ready` without pods, `tool_missing`
   */
  open(start: TerminalStart, context: CallContext): Promise<Terminal>
  /** True if there was a terminal since the testbed was built, or since {@link undo}. */
  readonly wereUsed: () => boolean
  /**
   * Builds the testbed again as it is set, without anything else that people changed in it. It must have no pods. All
   * terminals end.
   *
   * @returns what they had changed
   */
  undo(context: CallContext): Promise<HandChange[]>
}

/** A line of a place's configuration that a person added or removed. */
export interface HandChange {
  readonly where: string
  readonly change: 'added' | 'removed'
  readonly line: string
}

/**
 * A place where labs run. Every method rejects with a `LabError`, or with `signal.reason` once the context's signal is
 * aborted. By then it has stopped everything that it started.
 */
export interface Testbed {
  readonly kind: TestbedKind
  /** The testbed's abilities, and the reason for each that it can never have; `preflight` reports what is missing now. */
  readonly primitives: Primitives
  /** The primitives whose values it sets, of a cluster with each key: `cilium-config/KEY`. */
  readonly settable: readonly string[]
  /** The values that this testbed alone can list, by primitive; the default stands for the first. */
  readonly choices: ReadonlyMap<string, readonly string[]>
  readonly placements: ReadonlySet<PlacementVariant>
  /** The roles that it has places for, in the order of the path. */
  readonly roles: readonly Role[]
  /** Null if its pods can only be used as they are. */
  readonly setup: PodSetup | null
  /** Null if it can be looked at any time. */
  readonly rest: Rest | null
  /** Identifies this testbed: a new value means that everything deployed or switched is gone. Cheap. */
  incarnation(context: CallContext): Promise<string>
  facts(context: CallContext): Promise<TestbedFacts>
  /** The resources that runs on this testbed need. Cheap. */
  resources(context: CallContext): Promise<SharedResources>
  /** @param tries whether it may start something for a moment to find out. @defaultValue false */
  preflight(context: CallContext, tries?: boolean): AsyncIterable<Check>
  /** Reads all layers, counters included. */
  read(context: CallContext): Promise<DatapathState>
  /**
   * Yields once at first, and whenever the result of `read` can have changed; it ends only by rejecting. Null if
   * changes can't be detected and reading often is cheap.
   */
  readonly changes: ((context: CallContext) => AsyncIterable<void>) | null
  /**
   * Sets the values of these primitives, waits, and reads them back; a reading's settings are such values, too
   * (`withFeatures` makes the features' settings of them). Other values stay unchanged, and running pods keep theirs;
   * another kernel has no pods, and the same incarnation: nothing else that was set is gone. Idempotent.
   *
   * @throws LabError `datapath_not_taken` if the kernel did not apply them; `bad_request` for values that it can't set
   */
  set(values: Values, context: CallContext): Promise<DatapathState>
  /**
   * Creates new pods, one per role; netserver listens in the server's.
   *
   * @throws LabError `bad_request` for a role without a place
   */
  deploy(workload: Workload, variant: PlacementVariant, context: CallContext): Promise<Placement>
  /**
   * Does `set` and `deploy` at the same time, and reads the path with the new pods. Null if both are quick. The running
   * pods go first, so nothing can be read between.
   *
   * @throws LabError the errors of `set` and `deploy`. After an error the pods can be gone
   */
  readonly switchAndDeploy:
    | ((values: Values, workload: Workload, variant: PlacementVariant, context: CallContext) => Promise<DatapathState>)
    | null
  /**
   * Tries settings that can stop a node's agent, and restores them. Missing where nothing like that can be tried.
   *
   * @throws LabError once they are restored, or with a message that they could not be restored; `signal.reason`
   */
  readonly trySettings?: (tried: TrySettings, context: CallContext) => Promise<Tried>
  /** Makes the testbed ready to profile the pods that it has. Missing where its primitive `profile` has a reason. */
  readonly profiler?: (context: CallContext) => Promise<Profiler>
  /** Shells for people. Missing where nobody can have one. */
  readonly terminals?: Terminals
  /** Removes the pods, if there are any. */
  remove(context: CallContext): Promise<void>
  /** Runs argv, never a shell. A non-zero exit is an `exit` item, not a rejection. */
  exec(target: Target, argv: readonly string[], context: CallContext): AsyncIterable<ExecOutput>
  close(): Promise<void>
}

/** Makes the testbeds of one kind. */
export interface TestbedFactory<Made = Testbed> {
  /** The contexts to choose from, read each time; empty if there is no choice. @throws LabError `kubeconfig_invalid` */
  contexts(): readonly ClusterContext[]
  /** True if a person must choose a context before a run can use it. */
  readonly needsChoice: boolean
  /** The context given to this process; it overrides an earlier choice. */
  asked(): string | null
  /**
   * @param context null where there are none, or none was chosen
   * @param id the testbed's
   */
  make(context: string | null, id: TestbedId): Made | Promise<Made>
}
