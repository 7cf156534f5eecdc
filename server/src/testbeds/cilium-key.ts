/**
 * Keys of Cilium's ConfigMap, as features describe them. A cluster sets each as the primitive `cilium-config/KEY`: it
 * writes the key, restarts the agents, and reads back the values of agents and nodes' devices.
 */
import type { Link } from '@expresslane/shared/testbed/reading'
import type { Values } from '@expresslane/shared/testbed/primitive'
import type { LabError } from '@expresslane/shared/base/errors'
import type { CiliumStatus } from '../tools/cilium-status.ts'

export interface CiliumKey {
  /** `bpf-lb-mode`. */
  readonly key: string
  /** The two values that are switched, Cilium's default first: it counts where the key is missing. */
  readonly values: readonly [off: string, on: string]
  /** The value that Cilium takes a text for. @defaultValue the text itself */
  parse?(text: string): string
  /** A value within a list of switched settings: `XDP acceleration native`. */
  words(value: string): string
  /** The value that an agent reports; null if it reports none of the two. */
  reported(status: CiliumStatus): string | null
  /** For a key that agents or devices have to show, because nothing else says whether it counts. */
  readonly required?: {
    /** The field of an agent's status that has it. */
    readonly field: string
    /** Said of an agent that does not report it: `its status does not report ...`. */
    readonly silence: string
    isShownBy(devices: readonly Link[]): boolean
    /** The error where neither an agent nor its node's devices show it. */
    error(node: string): LabError
  }
  /** The differences between the native devices of a node and a value, a line each. */
  differs(node: string, devices: readonly Link[], value: string): string[]
  /** Whether agents compile it into the programs of their node and pods, which they load after they are ready. */
  readonly isCompiled: boolean
  /** Why Cilium's agents would not start with a value, beside the other keys; null if they would. */
  refusal?(value: string, data: Readonly<Record<string, string>>): LabError | null
  /** The value of Cilium's chart that keeps it on: `name=true`. */
  readonly chart?: string
  /** The complaints of an agent's log: lines about the key, and the sentence in such a line. */
  readonly complaints?: { readonly about: RegExp; readonly sentence: RegExp }
}

/** Values by key. */
export type KeyValues = Readonly<Record<string, string>>

const PREFIX = 'cilium-config/'

/** The keys' values among the values of a testbed's primitives. */
export function keyValues(values: Values): KeyValues {
  return Object.fromEntries(
    Object.entries(values).flatMap(([id, value]) =>
      id.startsWith(PREFIX) && typeof value === 'string' ? [[id.slice(PREFIX.length), value] as const] : [],
    ),
  )
}

/** The keys' values as values of primitives; an unknown value is missing. */
export function asPrimitives(of: Readonly<Record<string, string | null>>): Values {
  return Object.fromEntries(
    Object.entries(of).flatMap(([key, value]) => (value === null ? [] : [[`${PREFIX}${key}`, value] as const])),
  )
}

/** The remedy where a key has another value than the two. */
export const SET_IT = 'Set it to one of these yourself, or use another cluster.'

/** The texts that Go's `strconv.ParseBool` accepts as true; Cilium reads its settings with it. */
const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])

/** Whether Cilium takes a value of its ConfigMap as true. */
export function isTrue(value: string | null | undefined): boolean {
  return TRUE.has(value ?? '')
}
