/** The worker of a tab: the labs' actions, on an emulated computer in the same worker. */
import { LabError, toLabError } from '@expresslane/shared/base/errors'
import { thisTab as id } from '@expresslane/shared/testbed/id'
import type { Check } from '@expresslane/shared/testbed/testbed'
import type { TestbedView } from '@expresslane/shared/wire/protocol'
import {
  machineFiles,
  type MachineFiles,
  type SavedMachine,
  type TabMessage,
  type TabQuestion,
  type TabQuestionName,
  type TabQuestions,
} from '@expresslane/shared/wire/tab'
import { z } from 'zod'
import { topologies } from '../features/registry.ts'
import { offerOf } from '../runs/live/offer.ts'
import { liveFactory, type LabTestbed } from '../runs/perform/perform.ts'
import { startEmulator } from '../testbeds/emulated/emulator.ts'
import { createEmulatedMachine } from '../testbeds/emulated/machine.ts'
import { createNetnsTestbed } from '../testbeds/netns/index.ts'
import type { Machine } from '../testbeds/machine/machine.ts'
import type { CallContext } from '../testbeds/testbed.ts'
import type { Topology } from '../testbeds/topology.ts'
import { steadyTime } from '../time.ts'
import { createTabSessions, type TabSessions } from './sessions.ts'
import { createTabTerminals, type TabTerminals } from './terminals.ts'

// The page's policy forbids code from text.
z.config({ jitless: true })

/** The worker's own functions, which are none of Node's types. */
declare const self: {
  postMessage(message: TabMessage): void
  addEventListener(type: 'message', listener: (event: { readonly data: TabQuestion }) => void): void
  addEventListener(type: 'unhandledrejection', listener: (event: { readonly reason: unknown }) => void): void
  readonly location: { readonly href: string; readonly search: string }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's has none
const send = (message: TabMessage): void => self.postMessage(message)

interface Open {
  readonly testbed: LabTestbed
  readonly labs: readonly string[]
  readonly sessions: TabSessions
  readonly terminals: TabTerminals
}

const context: CallContext = { signal: new AbortController().signal, emit: () => {} }
let open: Promise<Open> | null = null
let checks: readonly Check[] = []
/** The present look at the testbed. A run begins after it: it takes the computer's time. */
let looking: Promise<TestbedView> | null = null

function topology(): Topology {
  const found = topologies().get(null)
  if (found === undefined) throw new Error('there is no topology of two pods')
  return found
}

function machineOf({ said, clockMs, memoryMb, madeOf }: SavedMachine, { state, ...files }: MachineFiles): Machine {
  const start = { state, said: Uint8Array.from(atob(said), (byte) => byte.charCodeAt(0)) }
  return createEmulatedMachine({ start: () => startEmulator({ files, start, clockMs, memoryMb }), madeOf })
}

/** @throws LabError `testbed_unavailable` */
async function fetched(name: string): Promise<ArrayBuffer> {
  try {
    const response = await fetch(new URL(`${name}${self.location.search}`, self.location.href))
    if (response.ok) return await response.arrayBuffer()
  } catch {
    // Offline, or the site is gone.
  }
  throw new LabError(
    'testbed_unavailable',
    `${name} of the emulated computer could not be loaded.`,
    'Check the network, then try again.',
  )
}

async function fetchFiles(): Promise<MachineFiles> {
  const { wasm, bios, state } = machineFiles
  const [a, b, c] = await Promise.all([fetched(wasm), fetched(bios), fetched(state)])
  return { wasm: a, bios: b, state: c }
}

async function openWith({ machine: saved, files, labs }: TabQuestions['open']['asked']): Promise<Open> {
  const machine = machineOf(saved, files ?? (await fetchFiles()))
  const factory = liveFactory({
    contexts: () => [],
    needsChoice: false,
    asked: () => null,
    make: () => createNetnsTestbed({ topology: topology(), machine }),
  })
  const testbed = await factory.make(null, id)
  const sessions = createTabSessions({ labs, testbed, id, now: steadyTime.now, report: (events) => send({ events }) })
  const terminals = createTabTerminals({
    testbed,
    id,
    free: sessions.free,
    send: (terminal, data) => send({ terminal, data }),
  })
  return { testbed, labs: labs.map((lab) => lab.id), sessions, terminals }
}

function present(): Promise<Open> {
  if (open === null) throw new LabError('testbed_unavailable', 'No computer was started.', 'Press “Try it here”.')
  return open
}

/** The testbed as it is now. While it works on a step it is not read: that would be a part of the measurement. */
async function view({ testbed, labs, sessions }: Open, fresh: boolean): Promise<TestbedView> {
  const unread: TestbedView = {
    ...offerOf(testbed),
    labs: [...labs],
    id,
    kind: 'emulated',
    contexts: [],
    context: null,
    facts: null,
    preflight: [...checks],
    datapath: null,
    problem: null,
    busy: sessions.busy(),
    toRestore: await sessions.toRestore(),
  }
  // A look at it starts nothing: its first step does.
  if (unread.busy !== null || (testbed.rest?.isNow() === true && !fresh)) return unread
  try {
    const [facts, datapath] = [await testbed.facts(context), await testbed.read(context)]
    if (fresh || checks.length === 0) {
      const found: Check[] = []
      for await (const check of testbed.preflight(context)) found.push(check)
      checks = found
    }
    return { ...unread, facts, datapath, preflight: [...checks] }
  } catch (error) {
    return { ...unread, problem: toLabError(error).toProblem() }
  }
}

/** Sends the path after commands in a terminal, which may have changed it. The events of a step have the step's own changes. */
async function followPath({ testbed }: Open): Promise<void> {
  for await (const _ of testbed.changes?.(context) ?? []) {
    const { datapath } = await answers.testbed({ fresh: false })
    if (datapath !== null) send({ datapath })
  }
}

type Answers = {
  [Name in TabQuestionName]: (asked: TabQuestions[Name]['asked']) => Promise<TabQuestions[Name]['answer']>
}

const answers: Answers = {
  async open(asked) {
    open = openWith(asked)
    void followPath(await open)
    return null
  },
  async testbed({ fresh }) {
    const here = await present()
    looking ??= view(here, fresh).finally(() => {
      looking = null
    })
    return looking
  },
  begin: async ({ lab }) => (await present()).sessions.begin(lab),
  session: async ({ session }) => (await present()).sessions.view(session),
  async run({ session, ...request }) {
    await looking
    return (await present()).sessions.start(session, request)
  },
  async reset({ session }) {
    await looking
    return (await present()).sessions.reset(session)
  },
  cancel: async ({ run }) => (await present()).sessions.cancel(run),
  terminals: async () => (await present()).terminals.view(),
  openTerminal: async (asked) => (await present()).terminals.open(asked),
  async closeTerminal(asked) {
    await (await present()).terminals.close(asked)
    return null
  },
  async watchTerminal(asked) {
    ;(await present()).terminals.watch(asked)
    return null
  },
  async typeTerminal(asked) {
    await (await present()).terminals.take(asked)
    return null
  },
}

async function answerTo<Name extends TabQuestionName>({ number, name, asked }: TabQuestion<Name>): Promise<TabMessage> {
  try {
    return { number, answer: await answers[name](asked) }
  } catch (error) {
    return { number, problem: toLabError(error).toProblem() }
  }
}

self.addEventListener('message', ({ data }) => void answerTo(data).then(send))
// v86 reports its failures so. The page hears of an error, and of no rejection.
self.addEventListener('unhandledrejection', ({ reason }) => {
  setTimeout(() => {
    throw reason
  })
})
