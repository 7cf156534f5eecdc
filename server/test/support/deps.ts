/** The whole server without its socket, with a separate data directory and fake testbeds. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { RunId } from '@expresslane/shared/run/events'
import type { Session } from '@expresslane/shared/wire/protocol'
import type { RunState } from '@expresslane/shared/run/run-state'
import { thisMachine } from '@expresslane/shared/testbed/id'
import { onTestFinished } from 'vitest'
import { linkOwner } from '../../src/access/principal.ts'
import { readConfig, type Config } from '../../src/config.ts'
import { openDeps, type Deps } from '../../src/deps.ts'
import { readLabFolder, type LabFolder } from '../../src/labs/folder.ts'
import type { ReadLabs } from '../../src/read-labs.ts'
import { openSession } from '../../src/runs/coordination/sessions.ts'
import { fakeOutside, type FakeOptions } from './fakes/fake-outside.ts'
import type { FakeTestbed } from './fakes/fake-testbed.ts'

/** A directory that is deleted when the test has finished. */
export function dataDir(atEnd: (end: () => void) => void = onTestFinished): string {
  const dir = mkdtempSync(join(tmpdir(), 'expresslane-test-'))
  atEnd(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

export function testConfig(data: string, env: Record<string, string> = {}): Config {
  return readConfig({ EXPRESSLANE_DATA: data, PORT: '0', LOG_LEVEL: 'silent', ...env })
}

export interface Rig {
  readonly deps: Deps
  /** All created testbeds, the current one last. */
  readonly fakes: FakeTestbed[]
  /** Runs SQL on a separate connection, to change the database from outside. */
  sql(text: string): void
}

export interface RigOptions extends FakeOptions {
  readonly data?: string
  /** False for a command that ends soon. */
  readonly adopts?: boolean
}

/** The shipped labs, read once: each test opens a server, and parsing them is most of what that costs. */
let shipped: readonly LabFolder[] | null = null

function readLabs({ labs }: Config): ReadLabs {
  shipped ??= labs.map(({ path }) => readLabFolder(path))
  return {
    folders: shipped,
    read: () => Promise.reject(new Error('no folder of labs changes in this test')),
    close: () => {},
  }
}

export function openRig(options: RigOptions = {}): Rig {
  const { outside, fakes } = fakeOutside(options)
  const data = options.data ?? dataDir()
  const config = testConfig(data)
  const deps = openDeps(config, outside, { adopts: options.adopts ?? true, labs: readLabs(config) })
  onTestFinished(() => deps.close())
  return {
    deps,
    fakes,
    sql(text) {
      const db = new DatabaseSync(join(data, 'expresslane.db'))
      db.exec(text)
      db.close()
    },
  }
}

export function beginSession(deps: Deps, labId = 'big-tcp-ipv4'): Promise<Session> {
  return openSession(deps, { labId, testbed: thisMachine, owner: linkOwner.id })
}

/** Starts a step, or with `solve` all steps up to it, and waits until it has ended. */
export async function runStep(deps: Deps, session: Session, stepId: string, solve = false): Promise<RunState> {
  const { runId } = await deps.scheduler.start(session, { stepId, params: { repeats: 1, seconds: 1 }, solve })
  await deps.scheduler.settled(runId)
  return stateOf(deps, runId)
}

export function stateOf(deps: Deps, runId: RunId): RunState {
  const state = deps.log.state(runId)
  if (state === null) throw new Error(`there is no run ${runId}`)
  return state
}
