import { describe, expect, it } from 'vitest'
import { foundHtml, foundIn, foundMarkdown } from '../../src/report/across-labs.ts'
import { sessionsResponse } from '../../src/wire/protocol.ts'
import { aLab } from '../builders.ts'

const verdict = {
  metric: 'tps',
  changePercent: 12.44,
  verdict: 'improved',
  comparisons: 1,
  improved: 1,
  worse: 0,
  sentence: 'With <b>BIG TCP</b>: faster.',
}

const session = (number: number, labId: string, at: number | null, testbed = 'netns') => ({
  id: `s_0000000${number}`,
  labId,
  testbed,
  owner: 'owner',
  createdAt: 1,
  lastRunAt: at,
  passedSteps: [],
  verdict: at === null ? null : { ...verdict, at },
})

const { sessions } = sessionsResponse.parse({
  sessions: [
    session(1, 'two', 1),
    session(2, 'two', 3, 'kubernetes:kind-kind'),
    session(3, 'one', 2),
    session(4, 'one', 5, 'recording:one'),
    session(5, 'three', null),
    session(6, 'bench', 9),
  ],
})
const labs = ['one', 'two', 'three'].map((id) => aLab({ id, title: `Lab ${id}` }))
const found = foundIn([...labs, aLab({ id: 'bench', listed: false })], sessions)
const report = { lines: found, madeBy: 'Expresslane 0.1.0', madeAt: Date.UTC(2026, 10, 26) }

describe('what was found out in all labs', () => {
  it('is the latest verdict of each lab, in their order, without playbacks', () => {
    expect(found.map(({ lab, session: { id } }) => [lab.id, id])).toEqual([
      ['one', 's_00000003'],
      ['two', 's_00000002'],
    ])
  })

  it('is written as Markdown', () => {
    const markdown = foundMarkdown(report)
    expect(markdown).toMatch(/^# What you found out on this machine\n\n## Lab one: 12\.4 % faster\n/)
    expect(markdown).toContain(String.raw`With \<b\>BIG TCP\</b\>: faster.`)
    expect(markdown).toContain('a Kubernetes cluster')
    expect(markdown).toMatch(/\*Created by Expresslane 0\.1\.0, 2026-11-26 00:00:00 UTC\.\*\n$/)
  })

  it('is written as one HTML file that runs nothing', () => {
    const html = foundHtml(report)
    expect(html).toMatch(/^<!doctype html>.*<h3>Lab one: 12\.4 % faster<\/h3>/s)
    expect(html).toContain('With &lt;b&gt;BIG TCP')
    expect(html).not.toContain('<script')
    expect(html.trimEnd()).toMatch(/<\/html>$/)
  })

  it('says that there is nothing yet', () => {
    for (const words of [foundMarkdown({ ...report, lines: [] }), foundHtml({ ...report, lines: [] })]) {
      expect(words).toContain('No lab has a verdict yet.')
    }
  })
})
