/** The testbeds of recordings that are played: they need no room among the others, and close when nobody uses them. */
import { formatTestbedId, type TestbedId } from '@expresslane/shared/testbed/id'
import { formatRecording } from '@expresslane/shared/recordings/recording'
import { expect, it, onTestFinished } from 'vitest'
import { linkOwner } from '../../src/access/principal.ts'
import { LOOK_EVERY_MS } from '../../src/classroom/idle.ts'
import { openDeps, type Deps } from '../../src/deps.ts'
import { openSession } from '../../src/runs/coordination/sessions.ts'
import { testClock } from '../support/clock.ts'
import { dataDir, testConfig } from '../support/deps.ts'
import { aRecording, aRun, progress } from '../support/runs/recordings.ts'

const IDLE_MS = 15 * 60_000
/** More than the shared testbeds that a server makes. */
const MANY = 70

const open = { principal: linkOwner, close: () => {} }

async function rig() {
  const clock = testClock()
  const deps = openDeps(testConfig(dataDir()), { clock })
  onTestFinished(() => deps.close())
  return { deps, idle: () => clock.advance(IDLE_MS + LOOK_EVERY_MS) }
}

async function importOne(deps: Deps, name: string): Promise<TestbedId> {
  const text = formatRecording(aRecording([aRun('baseline', [[10_000, progress(name)]])], { name }))
  const { id } = await deps.recordings.add(Buffer.from(text), deps.clock.now())
  return formatTestbedId({ kind: 'recording', context: id, owner: null })
}

const beginOn = (deps: Deps, testbed: TestbedId) =>
  openSession(deps, { labId: 'big-tcp-ipv4', testbed, owner: linkOwner.id })

it('opens more recordings than there is room for other testbeds, and closes all when nobody uses them', async () => {
  const { deps, idle } = await rig()
  const leave = deps.presence.enter(open)
  const ids: TestbedId[] = []
  for (let number = 0; number < MANY; number += 1) {
    const id = await importOne(deps, `recording ${number}`)
    await beginOn(deps, id)
    ids.push(id)
  }
  expect(deps.testbeds.made()).toEqual(ids)
  idle()
  expect(deps.testbeds.made()).toEqual(ids)
  leave()
  idle()
  expect(deps.testbeds.made()).toEqual([])
  const [first] = ids
  if (first === undefined) throw new Error('nothing was imported')
  await beginOn(deps, first)
  expect(deps.testbeds.made()).toEqual([first])
})

it('keeps one that plays', async () => {
  const { deps, idle } = await rig()
  const id = await importOne(deps, 'plays')
  const session = await beginOn(deps, id)
  await deps.scheduler.start(session, { stepId: 'baseline', params: {}, solve: false })
  expect(deps.store.runs.running()).toHaveLength(1)
  idle()
  expect(deps.testbeds.made()).toEqual([id])
})
