import { describe, expect, it } from 'vitest'
import { actionProperties, armsOfSteps, casesIn, diagramOf, namesIn, questionAt } from '../../src/labs/actions.ts'
import { action, nextLab, step, type Action } from '../../src/labs/lab.ts'
import { bytes } from '../../src/base/units.ts'
import { aLab } from '../builders.ts'

const of = { id: 'rr', label: 'Requests', family: 'ipv6', benchmark: { tool: 'tcp-rr' } } as const
const sizes = { repeats: { default: 6, min: 1, max: 10 }, seconds: { default: 5, min: 1, max: 30 } }
const design = { order: 'auto', repeats: 6, seconds: 5, warmups: 0, budget: null } as const
const arms = ['off', 'on'].map((id) => ({ id, label: id, settings: {} }))

const measure: Action = { kind: 'measure', arm: 'on', case: of, ...sizes }
const experiment: Action = { kind: 'experiment', plan: { arms, cases: [of], design }, ...sizes }

/** `arm on at arm`. */
function named(one: Action): string[] {
  return namesIn(one).map(({ what, word, path }) => `${what} ${word} at ${path.join('.')}`)
}

it('a step that switches the setting shows the diagram before it, unless it has its own', () => {
  const drawn = (title: string) => ({ title, arms: ['on'], nodes: [{ label: 'A' }, { label: 'B' }] })
  const plain = { title: '', prose: '', commands: [], actionLabel: null, hint: null, action: null }
  const switches = { ...plain, action: { kind: 'switch', arm: 'on' } }
  const { steps } = aLab({
    steps: [
      { ...switches, id: 'early' },
      { ...plain, id: 'why', diagram: drawn('first') },
      { ...plain, id: 'preflight' },
      { ...switches, id: 'enable' },
      { ...switches, id: 'again', diagram: drawn('second') },
      { ...switches, id: 'last' },
    ],
  })
  const titles = steps.map((_, index) => diagramOf({ steps }, index)?.title ?? null)
  expect(titles).toEqual([null, 'first', null, 'first', 'second', 'second'])
})

describe('an action', () => {
  it('names the arms, families and probes of its lab, each with its position', () => {
    const message = bytes.parse(80_000)
    expect(named({ kind: 'read', nodes: 'on', pods: 'off' })).toEqual(['arm on at nodes', 'arm off at pods'])
    expect(named(measure)).toEqual(['arm on at arm', 'family ipv6 at case.family'])
    expect(named(experiment)).toEqual(['family ipv6 at plan.cases.0.family'])
    expect(
      named({ kind: 'capture', arm: 'on', family: 'ipv4', requestBytes: message, responseBytes: message }),
    ).toEqual(['arm on at arm', 'family ipv4 at family'])
    expect(named({ kind: 'probe', probe: 'followed', arms: ['on', 'off'] })).toEqual([
      'arm on at arms.0',
      'arm off at arms.1',
      'probe followed at probe',
    ])
    expect(named({ kind: 'deploy', arm: 'on', placement: 'same-node' })).toEqual(['arm on at arm'])
  })

  it('has the cases that it measures', () => {
    expect(casesIn(measure)).toEqual([{ of, path: ['case'] }])
    expect(casesIn(experiment)).toEqual([{ of, path: ['plan', 'cases', 0] }])
    expect(casesIn({ ...experiment, plan: null })).toEqual([])
    expect(casesIn({ kind: 'compare' })).toEqual([])
  })

  it('has properties, whatever its kind', () => {
    for (const { shape } of action.options) expect(actionProperties({ kind: shape.kind.value } as Action)).toBeDefined()
    expect(actionProperties(null)).toMatchObject({ use: null, compares: null })
  })
})

describe('the arms that steps measure one by one', () => {
  it('are in the lab’s order, each once, without those of experiments', () => {
    const steps = [measure, experiment, { ...measure, arm: 'off' }, measure].map((one) => ({ action: one }))
    expect(
      armsOfSteps({ id: 'own', arms: [...arms, { id: 'third', label: 'third', settings: {} }], steps: steps as never }),
    ).toEqual(arms)
  })
})

describe('the question before a measurement', () => {
  const made = (id: string, does: Action | null, question: string | null = null) =>
    step.parse({ id, title: id, prose: '', commands: [], action: does, actionLabel: null, hint: null, question })
  const asked = (steps: ReturnType<typeof made>[]) => steps.map((at) => questionAt({ steps }, at)?.id ?? null)

  it('is that of the step which compares, at the first step that it compares', () => {
    const steps = [made('why', null), made('a', measure), made('b', measure), made('c', { kind: 'compare' }, 'Faster?')]
    expect(asked(steps)).toEqual([null, 'c', null, null])
  })

  it('is an experiment’s own, and nowhere where nobody asks', () => {
    expect(asked([made('a', experiment, 'Faster?'), made('b', experiment), made('c', measure)])).toEqual([
      'a',
      null,
      null,
    ])
  })
})

describe('nextLab', () => {
  const labs = ['a', 'bench', 'b'].map((id) => ({ id, listed: id !== 'bench' }))

  it('is the next that is listed, in the catalogue’s order', () => {
    expect(nextLab(labs, { id: 'a' })?.id).toBe('b')
  })

  it.each(['b', 'bench', 'gone'])('is none after %s', (id) => {
    expect(nextLab(labs, { id })).toBeNull()
  })
})
