/** The messages between a page and the worker that performs labs in its tab, on an emulated computer. */
import type { Answer, Question } from './questions.ts'
import type { Lab, StepParams } from '../labs/lab.ts'
import type { LoggedEvent, RunId, SessionId } from '../run/events.ts'
import type { DatapathState } from '../testbed/reading.ts'
import type { RunAccepted, SessionView, TestbedView } from './protocol.ts'
import type { TerminalSize, TerminalsView, TerminalView } from './terminal.ts'

/** The labs that the emulated computer can run. */
export const tabLabs: readonly string[] = ['big-tcp-ipv4', 'big-tcp-ipv6']

/** The emulated computer as it was saved. */
export interface SavedMachine {
  /** Names this computer in the addresses of its files, so that none comes from another edition. */
  readonly edition: string
  /** The bytes that its agent had sent before it was saved, in Base64. */
  readonly said: string
  /** Its clock at that time, in milliseconds. */
  readonly clockMs: number
  readonly memoryMb: number
  /** Its parts with version and digest. */
  readonly madeOf: Readonly<Record<string, string>>
}

/** The files of the computer and of its emulator, which are beside the worker's script. */
export const machineFiles = { wasm: 'v86.wasm', bios: 'bios.bin', state: 'state.zst' } as const
export type MachineFiles = Readonly<Record<keyof typeof machineFiles, ArrayBuffer>>

/** Each question with its answer. A worker is asked to open the computer first: without files it fetches them. */
export interface TabQuestions {
  open: { asked: { machine: SavedMachine; files: MachineFiles | null; labs: readonly Lab[] }; answer: null }
  testbed: { asked: { fresh: boolean }; answer: TestbedView }
  begin: { asked: { lab: string }; answer: SessionView }
  session: { asked: { session: SessionId }; answer: SessionView }
  run: { asked: { session: SessionId; stepId: string; params: StepParams; solve: boolean }; answer: RunAccepted }
  reset: { asked: { session: SessionId }; answer: RunAccepted }
  cancel: { asked: { run: RunId }; answer: RunAccepted }
  terminals: { asked: null; answer: TerminalsView }
  openTerminal: { asked: { place: string } & TerminalSize; answer: TerminalView }
  closeTerminal: { asked: { id: string }; answer: null }
  /** Its output comes by itself, from the byte `after` on. */
  watchTerminal: { asked: { id: string; after: number }; answer: null }
  /** `text`: a `TerminalMessage`. */
  typeTerminal: { asked: { id: string; text: string }; answer: null }
}
export type TabQuestionName = keyof TabQuestions

export type TabQuestion<Name extends TabQuestionName = TabQuestionName> = Question<TabQuestions, Name>

/**
 * Besides answers: events in the order of their `seq`, the path after a change in a terminal, and messages of a terminal, as its
 * WebSocket has them on a server.
 */
export type TabMessage =
  | Answer<TabQuestions>
  | { readonly events: readonly LoggedEvent[] }
  | { readonly datapath: DatapathState }
  | { readonly terminal: string; readonly data: string | Uint8Array }
