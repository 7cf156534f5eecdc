/** The messages between a page and the worker that performs labs in its tab, on an emulated computer. */
import type { Problem } from '../base/errors.ts'
import type { Lab, StepParams } from '../labs/lab.ts'
import type { LoggedEvent, RunId, SessionId } from '../run/events.ts'
import type { RunAccepted, SessionView, TestbedView } from './protocol.ts'

/** The emulated computer as it was saved, and the parts of its emulator. */
export interface SavedComputer {
  readonly wasm: ArrayBuffer
  readonly bios: ArrayBuffer
  /** Memory and devices, packed with zstd. */
  readonly state: ArrayBuffer
  /** The bytes that its agent had sent before it was saved, in Base64. */
  readonly said: string
  /** Its clock at that time, in milliseconds. */
  readonly clockMs: number
  readonly memoryMb: number
  /** Its parts with version and digest. */
  readonly madeOf: Readonly<Record<string, string>>
}

/** Each question with its answer. A worker is asked to open the computer first. */
export interface TabQuestions {
  open: { asked: { computer: SavedComputer; labs: readonly Lab[] }; answer: null }
  testbed: { asked: { fresh: boolean }; answer: TestbedView }
  begin: { asked: { lab: string }; answer: SessionView }
  session: { asked: { session: SessionId }; answer: SessionView }
  run: { asked: { session: SessionId; stepId: string; params: StepParams; solve: boolean }; answer: RunAccepted }
  reset: { asked: { session: SessionId }; answer: RunAccepted }
  cancel: { asked: { run: RunId }; answer: RunAccepted }
}
export type TabQuestionName = keyof TabQuestions

export interface TabQuestion<Name extends TabQuestionName = TabQuestionName> {
  readonly number: number
  readonly name: Name
  readonly asked: TabQuestions[Name]['asked']
}

/** Events come by themselves, in the order of their `seq`. */
export type TabMessage =
  | { readonly number: number; readonly answer: TabQuestions[TabQuestionName]['answer'] }
  | { readonly number: number; readonly problem: Problem }
  | { readonly events: readonly LoggedEvent[] }
