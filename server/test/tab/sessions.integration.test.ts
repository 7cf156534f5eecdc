/** The sessions of a tab, on namespaces of this machine: they know no server, no store and no queue. */
import { labOn } from '@expresslane/shared/labs/on-testbed'
import { RESET_STEP, type LoggedEvent, type RunId } from '@expresslane/shared/run/events'
import { thisMachine } from '@expresslane/shared/testbed/id'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { pair } from '../../src/features/big-tcp/topology.ts'
import { liveFactory, type LabTestbed } from '../../src/runs/perform/perform.ts'
import { createTabSessions, type TabSessions } from '../../src/tab/sessions.ts'
import { createTabTerminals } from '../../src/tab/terminals.ts'
import { createNetnsTestbed } from '../../src/testbeds/netns/index.ts'
import { createThisMachine } from '../../src/testbeds/netns/this-machine/index.ts'
import { labs } from '../support/runs/labs.ts'

const quick = { params: { repeats: 1, seconds: 1 }, solve: true }
let events: LoggedEvent[]
let sessions: TabSessions
let testbed: LabTestbed
let ended: (is: (run: RunId, stepId: string) => boolean) => Promise<void>

beforeEach(async () => {
  const factory = liveFactory({
    contexts: () => [],
    needsChoice: false,
    asked: () => null,
    make: () => createNetnsTestbed({ topology: pair, machine: createThisMachine() }),
  })
  testbed = await factory.make(null, thisMachine)
  onTestFinished(() => testbed.close())
  events = []
  const steps = new Map<RunId, string>()
  let check = (): void => {}
  const report = (some: readonly LoggedEvent[]): void => {
    events.push(...some)
    for (const { runId, event } of some) if (event.type === 'run.started') steps.set(runId, event.stepId)
    check()
  }
  ended = (is) =>
    new Promise((resolve) => {
      check = () => {
        const over = events.filter(({ event }) => event.type === 'run.ended').map(({ runId }) => runId)
        if (over.some((run) => is(run, steps.get(run) ?? ''))) resolve()
      }
      check()
    })
  sessions = createTabSessions({ labs, testbed, id: thisMachine, now: () => Date.now(), report })
})

test('a solve runs the lab up to its comparison, and a reset begins again', async () => {
  const { session } = await sessions.begin('big-tcp-ipv4')
  expect((await sessions.begin('big-tcp-ipv4')).session).toEqual(session)
  await sessions.start(session.id, { stepId: 'compare', ...quick })
  await ended((_, step) => step === 'compare')
  const { runs } = await sessions.view(session.id)
  expect(runs.map(({ stepId, state, outcome }) => [stepId, state, outcome?.passed])).toEqual(
    labOn(labs.find(({ id }) => id === 'big-tcp-ipv4') ?? { steps: [] }, 'netns')
      .steps.filter(({ action }) => action !== null)
      .slice(0, -1)
      .map(({ id }) => [id, 'completed', true]),
  )
  expect(runs.at(-1)?.comparisons).toHaveLength(1)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
  expect(await sessions.toRestore()).not.toBeNull()

  await sessions.reset(session.id)
  await ended((_, step) => step === RESET_STEP)
  expect((await sessions.view(session.id)).runs).toHaveLength(1)
  expect(await sessions.toRestore()).toBeNull()
})

test('a second run is refused while one goes on, and a cancel stops the solve', async () => {
  const { session } = await sessions.begin('big-tcp-ipv6')
  const { runId } = await sessions.start(session.id, { stepId: 'compare', ...quick })
  await expect(sessions.start(session.id, { stepId: 'preflight', ...quick })).rejects.toMatchObject({
    code: 'testbed_busy',
  })
  sessions.cancel(runId)
  await ended((run) => run === runId)
  expect(sessions.busy()).toBeNull()
  const { runs } = await sessions.view(session.id)
  expect(runs.map(({ state }) => state)).toEqual(['cancelled'])
  expect(() => sessions.cancel(runId)).toThrow('This run has ended.')
  await expect(sessions.begin('no-such-lab')).rejects.toMatchObject({ code: 'not_found' })
})

test('a terminal takes keys, but for the time of a step, and sends all its output to a page that comes back', async () => {
  const heard: (string | Uint8Array)[] = []
  let check = (): void => {}
  const text = (): string =>
    heard.map((data) => (typeof data === 'string' ? '' : Buffer.from(data).toString())).join('')
  const until = (words: string): Promise<void> =>
    new Promise((resolve) => {
      check = () => (text().includes(words) ? resolve() : undefined)
      check()
    })
  const terminals = createTabTerminals({
    testbed,
    id: thisMachine,
    free: sessions.free,
    send(_, data) {
      heard.push(data)
      check()
    },
  })
  const { id } = await terminals.open({ place: 'node1', rows: 24, columns: 80 })
  expect(terminals.view()).toMatchObject({
    places: expect.arrayContaining(['node1']),
    terminals: [{ id }],
    refusal: null,
  })
  terminals.watch({ id, after: 0 })
  const type = (keys: string): Promise<void> =>
    terminals.take({ id, text: JSON.stringify({ type: 'keys', text: keys }) })
  await type('echo $((6 * 7)) at $(stty size)\r')
  await until('42 at 24 80')

  const { session } = await sessions.begin('big-tcp-ipv4')
  const { runId } = await sessions.start(session.id, { stepId: 'preflight', ...quick })
  const waits = type('echo $((7 * 7)) later\r').then(() => sessions.busy())
  await ended((run) => run === runId)
  expect(text()).not.toContain('later')
  expect(await waits).toBeNull()
  await until('49 later')

  const before = text()
  heard.length = 0
  terminals.watch({ id, after: 0 })
  await until('49 later')
  expect(heard[0]).toBe('{"type":"from","byte":0}')
  expect(text()).toBe(before)
  await terminals.close({ id })
  expect(heard.at(-1)).toBe('{"type":"ended","message":"The terminal was ended."}')
  expect(terminals.view().terminals).toEqual([])
  expect(() => terminals.watch({ id, after: 0 })).toThrow('This terminal has ended.')
})
