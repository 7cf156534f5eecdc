/** The terminals of the computer in a tab, for the tab's one page. */
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { TabQuestions } from '@expresslane/shared/wire/tab'
import {
  terminalMessage,
  type TerminalFrame,
  type TerminalsView,
  type TerminalView,
} from '@expresslane/shared/wire/terminal'
import { systemClock } from '../runs/clock.ts'
import type { LabTestbed } from '../runs/perform/perform.ts'
import { createTerminals } from '../terminals/terminals.ts'

/** The id of the person, who is alone. */
const OWNER = 'reader'

type Asked<Name extends keyof TabQuestions> = TabQuestions[Name]['asked']

export interface TabTerminals {
  view(): TerminalsView
  /** @throws LabError as on a server */
  open(asked: Asked<'openTerminal'>): Promise<TerminalView>
  /** @throws LabError `not_found` */
  close(asked: Asked<'closeTerminal'>): Promise<void>
  /** Sends the output from a byte on, in the place of an earlier call for this terminal. @throws LabError `not_found` */
  watch(asked: Asked<'watchTerminal'>): void
  /** Takes a message of the page. @throws LabError `not_found` */
  take(asked: Asked<'typeTerminal'>): Promise<void>
}

interface Parts {
  readonly testbed: LabTestbed
  readonly id: TestbedId
  /** Resolves while no step runs. Everything waits for it: it would be a part of the measurement. */
  readonly free: () => Promise<void>
  /** @param data as a server's WebSocket sends it */
  readonly send: (terminal: string, data: string | Uint8Array) => void
}

export function createTabTerminals({ testbed, id, free, send }: Parts): TabTerminals {
  const all = createTerminals({ get: () => Promise.resolve(testbed) }, systemClock, () => {})
  const watched = new Map<string, () => void>()
  return {
    view: () => ({ places: [...(testbed.terminals?.places ?? [])], terminals: all.of(OWNER, id), refusal: null }),
    async open({ place, ...size }) {
      await free()
      return all.open(OWNER, id, place, size)
    },
    async close({ id: terminal }) {
      await free()
      await all.require(OWNER, terminal).end()
    },
    watch({ id: terminal, after }) {
      watched.get(terminal)?.()
      const say = (frame: TerminalFrame): void => send(terminal, JSON.stringify(frame))
      const { byte, leave } = all.require(OWNER, terminal).watch(
        {
          // A copy: a message would have the whole buffer that these bytes are a part of.
          output: (bytes) => send(terminal, Uint8Array.from(bytes)),
          resized() {},
          ended: (message) => say({ type: 'ended', message }),
        },
        after,
      )
      watched.set(terminal, leave)
      say({ type: 'from', byte })
    },
    async take({ id: terminal, text }) {
      const message = terminalMessage.parse(JSON.parse(text))
      await free()
      const to = all.require(OWNER, terminal)
      if (message.type === 'size') to.resize(message)
      else void to.type(message.text)
    },
  }
}
