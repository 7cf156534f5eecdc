/** Where a room got stuck: as HTML, CSV, and xAPI statements that Learning Locker's own check accepts. */
import { statement as checkStatement } from '@learninglocker/xapi-validation/dist/factory.js'
import { describe, expect, it } from 'vitest'
import { actingSteps, labFigures } from '../../../src/report/room/steps/figures.ts'
import { stepsCsv, stepsHtml } from '../../../src/report/room/steps/files.ts'
import type { Learner } from '../../../src/report/room/steps/learner.ts'
import type { StepsReport } from '../../../src/report/room/steps/model.ts'
import { stepsStatements } from '../../../src/report/room/steps/xapi.ts'
import { lab } from './lab.ts'
import { BEGIN, learnersOf, moment, usual } from './room.ts'

const HARD = 'step-6'
const steps = actingSteps(lab)

function reportOf(learners: readonly Learner[], named = false): StepsReport {
  const titles = lab.steps.flatMap(({ id, title, action }, index) =>
    action === null ? [] : [{ id, title, number: index + 1 }],
  )
  const { id, title, question } = lab
  return {
    lab: { id, title, question, steps: titles },
    learners,
    moment,
    figures: labFigures(lab, learners, moment),
    named,
    origin: 'https://labs.example.org',
    madeBy: 'Expresslane 0.1.0',
  }
}

const hand = { stepId: HARD, raisedAt: BEGIN + 60_000 }
const learners = learnersOf(3, steps, { [HARD]: { ...usual, time: 3 } }).map((one, index) =>
  index === 0 ? { ...one, hands: [hand] } : one,
)

/** The verbs and activity types of ADL's vocabulary (https://w3id.org/xapi/adl) for which an LRS has no other meaning. */
const verbs =
  'answered asked attempted attended commented completed exited experienced failed imported initialized interacted launched mastered passed preferred progressed registered responded resumed scored shared suspended terminated'
const types =
  'assessment attempt course file interaction lesson link media meeting module objective performance profile question simulation'
const inVocabulary = (part: string, words: string) =>
  words.split(' ').map((word) => `http://adlnet.gov/expapi/${part}/${word}`)

describe('the report by step', () => {
  it('says where the room got stuck, and that no step stands out', () => {
    expect(stepsHtml(reportOf(learners))).toContain('The room is stuck at step 6, “Step 6”: it takes ')
    expect(stepsHtml(reportOf(learnersOf(3, steps)))).toContain('No step stands out.')
    expect(stepsHtml(reportOf([]))).toContain('0 learners began, 0 finished.')
  })

  it('has a line for each step that acts, with what happened there', () => {
    const html = stepsHtml(reportOf(learners))
    for (const { stepId } of steps) expect(html).toContain(`. Step ${stepId.slice('step-'.length)}</th>`)
    const [head = '', ...lines] = stepsCsv(reportOf(learners)).trimEnd().split('\r\n')
    expect(lines).toHaveLength(steps.length)
    const value = (line: string | undefined, column: string) => line?.split(',')[head.split(',').indexOf(column)]
    const line = lines.find((one) => value(one, 'step_id') === HARD)
    expect(value(line, 'stands_out')).toBe('time')
    expect(value(line, 'hands_up')).toBe('1')
    expect(Number(value(line, 'factor'))).toBeGreaterThan(1.5)
    expect(value(lines[0], 'learners')).toBe('30')
  })

  it('names people only where that is chosen, and runs no name as a formula', () => {
    const [first, ...rest] = learners
    if (first === undefined) throw new Error('no learner')
    const stuck = { ...first, name: '=1+1', stepId: HARD, online: true }
    expect(stepsCsv(reportOf([stuck, ...rest]))).not.toContain('1+1')
    expect(stepsCsv(reportOf([stuck, ...rest], true))).toContain("'=1+1")
    expect(stepsHtml(reportOf([{ ...stuck, name: '<b>' }, ...rest], true))).toContain('&lt;b')
  })
})

describe('the statements', () => {
  const statements = stepsStatements(reportOf(learners))

  it('are valid by the specification, with and without names', () => {
    for (const one of [...statements, ...stepsStatements(reportOf(learners, true))]) {
      expect(checkStatement(JSON.parse(JSON.stringify(one)), [])).toEqual([])
    }
    const [first] = statements
    expect(checkStatement({ ...first, timestamp: 'today' }, [])).not.toEqual([])
  })

  it('use the vocabulary of ADL alone, and each verb that they can', () => {
    const used = new Set(statements.map(({ verb }) => verb.id))
    for (const verb of used) expect(inVocabulary('verbs', verbs)).toContain(verb)
    const short = [...used].map((verb) => verb.split('/').at(-1))
    expect(new Set(short)).toEqual(new Set(['asked', 'attempted', 'completed', 'failed', 'initialized', 'passed']))
    for (const { object } of statements) expect(inVocabulary('activities', types)).toContain(object.definition.type)
  })

  it('are the same in a second export, later and with more runs, each with an id of its own', () => {
    const later = { ...reportOf(learners), moment: { ...moment, now: moment.now + 3_600_000 } }
    expect(stepsStatements(later)).toEqual(statements)
    expect(new Set(statements.map(({ id }) => id)).size).toBe(statements.length)
  })

  it('have a pseudonym for each learner, and the name only where that is chosen', () => {
    const text = JSON.stringify(statements)
    for (const { name, id } of learners) {
      expect(text).not.toContain(`"${name}"`)
      expect(text).not.toContain(`"${id}"`)
    }
    expect(new Set(statements.map(({ actor }) => actor.account.name)).size).toBe(30)
    expect(stepsStatements(reportOf(learners, true))[0]?.actor.name).toBe('Learner 0')
  })

  it('have the learner’s own time with the first pass', () => {
    const [first] = learners
    const passed = statements.find(({ verb }) => verb.id.endsWith('/passed'))
    const pass = first?.attempts.find(({ end }) => end === 'passed')
    expect(passed?.timestamp).toBe(new Date(pass?.endedAt ?? 0).toISOString())
    expect(passed?.result?.duration).toMatch(/^PT\d+(\.\d{1,2})?S$/)
  })

  it('say that Solve completed a step, and that nobody passed it', () => {
    const [first] = learners
    if (first === undefined) throw new Error('no learner')
    const solved = {
      ...first,
      attempts: first.attempts.slice(0, 1).map((one) => ({ ...one, solved: true, end: 'passed' as const })),
    }
    const said = stepsStatements(reportOf([solved])).map(({ verb }) => verb.id.split('/').at(-1))
    expect(said).toEqual(['initialized', 'asked', 'attempted', 'completed'])
  })
})
