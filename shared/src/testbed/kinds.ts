/** The properties of kinds of testbeds. A new kind is an entry here, and a line in the server's factory. Pure. */
import type { TestbedKind } from './testbed.ts'

export interface KindProperties {
  /** A machine: it has a testbed for each topology, and for each participant. */
  readonly isMachine: boolean
  /** The testbed is this machine itself: its processes share the machine's processors, and it needs no name in lists. */
  readonly isHere: boolean
  /** A cluster: it is chosen by a context, people share it, and a single person at a time drives it. */
  readonly isCluster: boolean
  /** The people who run this server alone use it: it is a computer of theirs. */
  readonly isOwners: boolean
  /** Its runs were made elsewhere, and are played back. */
  readonly isRecorded: boolean
  /** The testbed keeps no processes and namespaces while nobody uses it, so any number can exist. */
  readonly isFree: boolean
  /** The kind whose commands people type here; null where nobody can type. */
  readonly commandsOf: TestbedKind | null
  /** The kind of the testbed that measures its experiments a second time; null for none. */
  readonly opinion: TestbedKind | null
  /** Instructions a microsecond of its clock, where it counts them; null where it shows time. */
  readonly clock: number | null
}

/** The counted machine's. QEMU makes an instruction a power of two in nanoseconds of its clock: here 8. */
export const COUNTED_CLOCK = 125

/** The emulated computer's: an emulator is slow, and half a second of this clock is enough for 100 requests. */
export const EMULATED_CLOCK = 25

const plain: Omit<KindProperties, 'commandsOf'> = {
  isMachine: false,
  isHere: false,
  isCluster: false,
  isOwners: false,
  isRecorded: false,
  isFree: false,
  opinion: null,
  clock: null,
}

export const kinds: Readonly<Record<TestbedKind, KindProperties>> = {
  netns: { ...plain, isMachine: true, isHere: true, commandsOf: 'netns', opinion: 'counted' },
  counted: { ...plain, isMachine: true, isFree: true, commandsOf: 'netns', clock: COUNTED_CLOCK },
  emulated: { ...plain, isMachine: true, isFree: true, commandsOf: null, clock: EMULATED_CLOCK },
  // Two hosts have no nodes of a topology: the commands of one host would not fit.
  ssh: { ...plain, isMachine: true, isOwners: true, commandsOf: 'ssh' },
  kubernetes: { ...plain, isCluster: true, commandsOf: 'kubernetes' },
  recording: { ...plain, isRecorded: true, isFree: true, commandsOf: null },
}
