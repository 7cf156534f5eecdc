/** The recordings that come with Expresslane, and the published schema of all. `-u` writes the schema again. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { compareArms } from '@expresslane/shared/compare/compare'
import { recordingLine } from '@expresslane/shared/recordings/recording'
import { groupOf } from '@expresslane/shared/profile/groups'
import { contextsOf } from '@expresslane/shared/profile/made'
import { REST, type Context, type Side } from '@expresslane/shared/profile/profile'
import { reduceRun } from '@expresslane/shared/test/reduce-run'
import { hasPassed, measurementsOf, type RunState } from '@expresslane/shared/run/run-state'
import { runId } from '@expresslane/shared/run/events'
import { epochMs } from '@expresslane/shared/base/units'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openFile, runsIn } from '../support/runs/recordings.ts'
import { shipped as shippedLabs } from '../support/runs/labs.ts'

const root = join(import.meta.dirname, '../../..')
/** Needs that only a cluster meets. */
const ofClusters: ReadonlySet<string> = new Set(['agent-settings', 'cilium-gateway', 'lb-acceleration'])
const files = readdirSync(join(root, 'recordings'))

/** Profiles that can be read and say what the kernel does: of all contexts that were kept, nearly all have a group by their name. */
function expectGrouped({ profiles }: RunState): string[] {
  return profiles.map(({ arm, profile }) => {
    if (profile === null) throw new Error(`${arm} has no profile`)
    const of = (counts: (name: string) => boolean): number => {
      const sum = ({ function: name, own, children }: Context<Side>): number =>
        (counts(name) ? own.instructions : 0) + children.reduce((all, child) => all + sum(child), 0)
      return sum(contextsOf(profile))
    }
    const named = of((name) => groupOf(name) !== null)
    expect(named / of((name) => name !== REST), arm).toBeGreaterThan(0.97)
    return profile.kernel ?? ''
  })
}

/** Each run as the page folds it. */
function folded(text: string): RunState[] {
  return runsIn(text).flatMap(({ startedAt, events }) => {
    const id = runId.parse('r_00000001')
    const logged = events.map(({ at, event }, index) => ({
      seq: index + 1,
      runId: id,
      at: epochMs.parse(startedAt + at),
      event,
    }))
    return logged.reduce<RunState | null>(reduceRun, null) ?? []
  })
}

describe('the recordings that come with Expresslane', () => {
  it('are at least two', () => {
    expect(files.length).toBeGreaterThanOrEqual(2)
  })

  it('take at most 4 MB in a package, together', () => {
    const packed = files.map((file) => gzipSync(readFileSync(join(root, 'recordings', file))).length)
    expect(packed.reduce((all, one) => all + one, 0)).toBeLessThan(4_000_000)
  })

  it('have profiles of two kernels', () => {
    const kernels = files.flatMap((file) =>
      folded(readFileSync(join(root, 'recordings', file), 'utf8')).flatMap(expectGrouped),
    )
    expect([...new Set(kernels)].toSorted()).toEqual([
      expect.stringMatching(/^6\.12\./),
      expect.stringMatching(/^7\.\d+\./),
    ])
  })

  it.each(files)('%s: a whole lab, where it was really run', (file) => {
    const text = readFileSync(join(root, 'recordings', file), 'utf8')
    const { lab, facts } = openFile(text).outline
    const runs = runsIn(text)
    const found = shippedLabs.find(lab)
    const onCluster = found?.needs.some((need) => ofClusters.has(need)) === true
    expect(onCluster ? ['kubernetes'] : ['netns', 'counted']).toContain(facts.kind)
    expect(`${lab}.jsonl`).toBe(file)
    const steps = found?.steps.filter(({ action }) => action !== null) ?? []
    expect(runs.map(({ stepId }) => stepId)).toEqual(steps.map(({ id }) => id))
    expect(runs.map(({ events }) => events.at(-1)?.event)).toEqual(
      steps.map(() => ({ type: 'run.ended', state: 'completed', problem: null })),
    )
    const states = folded(text)
    expect(states.every(hasPassed)).toBe(true)
    const probes = steps.flatMap(({ id, action }) => (action?.kind === 'probe' ? id : []))
    const shown = states.filter(({ exhibits, outcome }) => exhibits.length + (outcome?.observations.length ?? 0) > 0)
    expect(shown.map(({ stepId }) => stepId)).toEqual(expect.arrayContaining(probes))
    const measured = states.flatMap(measurementsOf)
    const arms = new Set(measured.map(({ arm }) => arm))
    const measures = steps.some(({ action }) => action?.kind === 'measure' || action?.kind === 'experiment')
    if (measures) expect(arms.size).toBeGreaterThan(1)
    else expect(steps.some(({ action }) => action?.kind === 'probe' || action?.kind === 'capture')).toBe(true)
    expect(measured.every(({ fingerprint }) => fingerprint?.testbed === facts.kind)).toBe(true)
  })
})

/** The comparison as the file of version 2 has it. */
const written = z.object({
  runs: z.array(z.object({ events: z.array(z.object({ event: z.looseObject({ type: z.string() }) })) })),
})

describe('a recording of version 2', () => {
  it('has the same comparison to the last digit, and its measurements still give it', () => {
    const text = readFileSync(join(import.meta.dirname, '../fixtures/recordings/version-2.json'), 'utf8')
    const events = written.parse(JSON.parse(text)).runs.flatMap((run) => run.events.map(({ event }) => event))
    const old = events.find(({ type }) => type === 'comparison.made')?.['comparison']
    const states = folded(text)
    const [upgraded] = states.flatMap(({ comparisons }) => comparisons)
    const { rows, ...others } = z.looseObject({ rows: z.array(z.looseObject({})) }).parse(old)
    const roles = rows.map(({ better }, index) =>
      better === 'neither' ? 'explains' : index === 0 ? 'verdict' : 'exploratory',
    )
    expect(upgraded?.comparison).toEqual({
      ...others,
      tool: null,
      control: { method: 'none', comparisons: 1 },
      rows: rows.map((row, index) => ({ ...row, adjustedP: null, role: roles[index] })),
    })
    const taken = states.flatMap(measurementsOf)
    const of = (id: string) => taken.filter(({ arm }) => arm === id)
    const again = compareArms(of('off'), of('on'))
    expect(again?.rows).toEqual(upgraded?.comparison.rows)
    expect(again?.technical).toBe(upgraded?.comparison.technical)
  })
})

describe('docs/recording.schema.json', () => {
  it('is the schema that recordings are read with', async () => {
    const $comment = 'Generated. Do not edit: vitest run -u --project=server test/replay/shipped.test.ts'
    const schema = {
      $comment,
      title: 'A line of an Expresslane recording',
      ...z.toJSONSchema(recordingLine, { io: 'input', reused: 'ref' }),
    }
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(join(root, 'docs/recording.schema.json'))
  })
})
