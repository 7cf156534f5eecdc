import { formatLabProblem } from '@expresslane/shared/labs/problem'
import { assert, constantFrom, integer, property, string, tuple } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_LAB_CHARACTERS, parseLab } from '../../src/labs/parse/parse.ts'
import { good } from './good-lab.ts'

/** The problems of the good lab with one part replaced. */
function problemsOf(part: string, by: string): string[] {
  expect(good.split(part).length, part).toBe(2)
  return parseLab('mine', good.replace(part, by), 'mine.md').problems.map(formatLabProblem)
}

const withDiagram = good.replace(
  '## Preflight',
  `\`\`\`yaml diagram
title: Where \${name} is big
arms: [off, on]
nodes:
  - { label: TCP, note: '\${name}', switched: true, under: { off: two packets } }
  - { label: Server, skippedBy: [on] }
\`\`\`

## Preflight`,
)

describe('parseLab', () => {
  const { labs, problems } = parseLab('mine', good, 'mine.md')

  it('makes a lab of each variant, with its variables in text, YAML and commands', () => {
    expect(problems).toEqual([])
    expect(labs.map(({ lab, order }) => [lab.id, lab.title, lab.families, order])).toEqual([
      ['mine-ipv4', 'Requests over IPv4', ['ipv4'], 3],
      ['mine-ipv6', 'Requests over IPv6', ['ipv6'], 3],
    ])
    expect(labs[0]?.lab.needs).toEqual(['big-tcp-ipv4'])
  })

  it('splits a section: prose, action, commands, hint', () => {
    const [why, preflight] = labs[1]?.lab.steps ?? []
    expect(why).toMatchObject({
      id: 'why',
      title: 'Why IPv6?',
      action: null,
      actionLabel: null,
      hint: null,
      commands: [],
      notes: null,
      minutes: null,
    })
    expect(why?.prose).toBe('About **IPv6**.\n\n- one\n- two\n\n```text\nnot a command\n```')
    expect(preflight).toEqual({
      diagram: null,
      id: 'preflight',
      title: 'Preflight',
      prose: 'Is everything here?',
      commands: [
        { on: 'netns', note: 'On this machine', text: 'ip netns exec pod1 ping fd00::2\necho ${x} "$1" $(id -u)' },
        { on: 'kubernetes', note: 'On a cluster', text: 'kubectl get pods' },
      ],
      action: { kind: 'preflight' },
      actionLabel: 'Run preflight',
      hint: 'Follow the remedy, then run it again.',
      notes: '- Say fd00::2.\n- Wait.',
      minutes: 1.5,
      pauseSeconds: 12,
      question: null,
    })
  })

  it('reads a diagram, with variables', () => {
    const step = parseLab('mine', withDiagram, 'mine.md').labs[0]?.lab.steps[0]
    expect(step?.diagram).toEqual({
      title: 'Where IPv4 is big',
      arms: ['off', 'on'],
      nodes: [
        { label: 'TCP', note: 'IPv4', switched: true, skippedBy: [], under: { off: 'two packets' } },
        { label: 'Server', switched: false, skippedBy: ['on'], under: {} },
      ],
    })
  })

  it.each([
    ['title: Where', 'name: Where', 'mine.md:37:1: "title" is missing'],
    ['arms: [off, on]', 'arms: [off, in]', 'mine.md:38:13: the lab has no arm "in": expected one of off, on'],
    ['under: { off', 'under: { of', 'mine.md:40:5: the lab has no arm "of"'],
    ['skippedBy: [on]', 'skippedBy: [none]', 'mine.md:41:5: the lab has no arm "none"'],
    ['skippedBy:', 'skipedBy:', 'mine.md:41:22: "skipedBy" is not known here'],
    [
      '\n## Preflight',
      '\n```yaml diagram\ntitle: Again\n```\n\n## Preflight',
      'mine.md:44:1: expected at most one diagram',
    ],
    ['yaml diagram', 'yaml diagramm', 'mine.md:36:1: expected ```yaml action, ```yaml talk or ```yaml diagram'],
  ])('names the line of a diagram’s error: %j as %j', (part, by, message) => {
    expect(withDiagram.split(part), part).toHaveLength(2)
    const { labs: none, problems: found } = parseLab('mine', withDiagram.replace(part, by), 'mine.md')
    expect(none).toEqual([])
    expect(found.map(formatLabProblem)).toEqual(expect.arrayContaining([expect.stringContaining(message)]))
  })

  it('reads a question to the room in a step that compares', () => {
    const asked = good
      .replace('kind: preflight', 'kind: compare')
      .replace('pause: 12', "question: 'Is ${name} faster?'")
    const step = parseLab('mine', asked, 'mine.md').labs[0]?.lab.steps[1]
    expect(step).toMatchObject({ question: 'Is IPv4 faster?', pauseSeconds: null })
  })

  it.each(['[on, off]', null])('completes an experiment with the arms %s', (arms) => {
    const text = arms === null ? experimentOf('').replace('  arms: \n', '') : experimentOf(arms)
    const [one] = parseLab(
      'mine',
      good.replace('kind: preflight', text).replace('needs:\n', 'needs:\n  - iperf3\n'),
      'mine.md',
    ).labs
    const action = one?.lab.steps[1]?.action
    expect(action).toMatchObject({
      plan: {
        arms: (arms === null ? ['off', 'on'] : ['on', 'off']).map((id) => ({
          id,
          settings: { 'big-tcp-ipv4': id === 'on' },
        })),
        design: { order: 'auto', warmups: 1, budget: null, repeats: 4, seconds: 2 },
      },
    })
  })

  it('returns one lab without variants', () => {
    const one = good.replace(/^variants:\n(?: {2}.*\n)+/m, 'variables: { variant: ipv4, name: IPv4, peer: 10.0.0.2 }\n')
    expect(parseLab('mine', one, 'mine.md')).toMatchObject({ problems: [], labs: [{ lab: { id: 'mine' } }] })
  })

  it('counts lines correctly with a byte order mark and with other line endings', () => {
    const dos = `\uFEFF${good.replaceAll('\n', '\r\n')}`
    expect(parseLab('mine', dos, 'mine.md')).toEqual({ labs, problems: [] })
    const [problem] = parseLab('mine', dos.replace('minutes: 5', 'minutes: x'), 'mine.md').problems
    expect(problem).toMatchObject({ line: 7, column: 10 })
  })
})

describe('errors have a position, the expected value and the nearest word', () => {
  it.each([
    ['minutes: 5', 'minute: 5', 'mine.md:7:1: "minute" is not known here:', 'did you mean "minutes"?'],
    ['minutes: 5', 'minutes: soon', 'mine.md:7:10: "minutes": expected a number, found "soon"', ''],
    ['minutes: 5', 'minutes: 0', 'mine.md:7:10: "minutes": expected at least 1, found "0"', ''],
    ['minutes: 5', 'minutes: 5\ntrack: biger-packets', 'mine.md:8:8: "track": ', 'did you mean "bigger-packets"?'],
    ['question: Is it faster?\n', '', 'mine.md:2:1: "question" is missing: expected text', ''],
    ['- big-tcp-${variant}', '- big-tpc-${variant}', 'mine.md:9:5: ', 'did you mean "big-tcp-ipv4"?'],
    ['over ${name}', 'over ${nam}', 'mine.md:2:8: there is no variable "nam"', 'did you mean "name"?'],
    ['**${name}**', '**${nam}**', 'mine.md:27:1: there is no variable "nam"', 'did you mean "name"?'],
    ['minutes: 5', 'minutes: [5', 'mine.md:8:1: this is not valid YAML', ''],
    ['kind: preflight', 'kind: prefligt', 'mine.md:41:7: "kind": expected one of', 'did you mean "preflight"?'],
    ['kind: preflight', 'kind: preflight\narms: on', 'mine.md:42:1: "arms" is not known here', ''],
    ['label: Run preflight\n', '', 'mine.md:41:1: "label": expected the text of the button', ''],
    ['sh netns', 'sh netsn', 'mine.md:45:1: there is no testbed "netsn"', 'did you mean "netns"?'],
    ['sh netns On this machine', 'sh', 'mine.md:45:1: the testbed is missing', ''],
    ['```sh kubernetes', '```bash kubernetes', 'mine.md:50:1: expected ```sh and a testbed, found ```bash', ''],
    ['```yaml action\nkind: pre', '```yaml\nkind: pre', 'mine.md:40:1: expected ```yaml action', ''],
    ['```yaml talk', '```yaml tlak', 'mine.md:57:1: expected ```yaml action, ```yaml talk or', ''],
    ['```notes', '```note', 'mine.md:62:1: expected ```notes, found ```note', ''],
    ['- Wait.', '<b>Wait.</b>', 'mine.md:64:1: HTML is not allowed', ''],
    ['- Say ${peer}.\n- Wait.', '', 'mine.md:62:1: expected the notes of the presenter', ''],
    ['- Wait.', '```\n\n```notes\n- Wait.', 'mine.md:66:1: expected at most one ```notes block', ''],
    ['pause: 12', 'puase: 12', 'mine.md:59:1: "puase" is not known here', 'did you mean "pause"?'],
    [
      'pause: 12',
      'pause: 12\n```\n\n```yaml talk\npause: 1',
      'mine.md:62:1: expected at most one ```yaml talk block',
      '',
    ],
    ['pause: 12', 'pause: -1', 'mine.md:59:8: "pause": expected at least 0', ''],
    ['minutes: 1.5\npause: 12\n', '', 'mine.md:57:1: expected minutes, pause or question', ''],
    ['pause: 12', 'question: Faster?', 'mine.md:36:1: a question needs a comparison', ''],
    ['{#why}', '', 'mine.md:25:1: a step needs an id', '## Why ${name}? {#why-name}'],
    ['{#why}', '{#Why not}', 'mine.md:25:19: expected an id of lowercase letters', 'why-not'],
    ['{#why}', '{#preflight}', 'mine.md:36:1: two steps have the id "preflight"', ''],
    ['- one', '- <b>one</b>', 'mine.md:29:3: HTML is not allowed', ''],
    ['- one', '- ![one](x.png)', 'mine.md:29:3: pictures are not allowed', ''],
    ['- one', '- [one](javascript:x)', 'mine.md:29:3: expected a link that begins with https://', ''],
    ['> Follow the remedy', '> Follow the **remedy**', 'mine.md:54:1: expected a hint of one paragraph of plain', ''],
    ['About ', '> A hint.\n\nAbout ', 'mine.md:25:1: a hint is shown when an action', ''],
    ['## Why', '# Why', 'mine.md:25:1: expected a step: a heading with two #', ''],
    ['## Why', 'Text.\n\n## Why', 'mine.md:25:1: expected a step before any text', ''],
  ])('%s -> %s', (part, by, place, words) => {
    const problems = problemsOf(part, by)
    expect(
      problems.find((one) => one.startsWith(place)),
      problems.join('\n'),
    ).toContain(words)
  })

  it.each([
    ['feature: big-tcp', 'feature: big-tpc', 'mine.md:14:10: there is no feature "big-tpc"', 'did you mean "big-tcp"?'],
    [
      '    settings:\n      big-tcp-${variant}: true',
      '    settings: { size-limt: 1 }',
      'mine.md:22:17:',
      '"size-limit"',
    ],
    ['big-tcp-${variant}: true', 'size-limit: 12', 'mine.md:23:19: "size-limit": ', '65536'],
    ['kind: preflight', 'kind: deploy\narm: onn', 'mine.md:42:6: there is no arm "onn"', 'did you mean "on"?'],
    ['kind: preflight', 'kind: read\nnodes: on\npods: of', 'mine.md:43:7: there is no arm "of"', 'mean "off"?'],
    [
      'kind: preflight',
      'kind: probe\nprobe: names\narms: [onn]',
      'mine.md:43:8: there is no arm "onn"',
      'did you mean "on"?',
    ],
    [
      'kind: preflight',
      'kind: probe\nprobe: names\narms: [on]',
      'mine.md:42:8: there is no probe of big-tcp "names"',
      'expected one of prerequisites, ',
    ],
    ['kind: preflight', captureOf('ipv5'), 'mine.md:43:9: "family": expected one of ipv4, ipv6', '"ipv4"?'],
    ['kind: preflight', captureOf('ipv6'), 'mine.md:43:9: there is no family of this lab "ipv6"', 'expected ipv4'],
    ['kind: preflight', experimentOf('[off, on]').replace('iperf3', 'iperf'), 'mine.md:44:', 'did you mean "iperf3"?'],
    ['kind: preflight', experimentOf('[off, on]').replace('omitS', 'omtS'), 'mine.md:44:', '"omitSeconds"?'],
    [
      'kind: preflight',
      experimentOf('[off, on]').replace('default: 2, min: 1', 'default: 2, min: 0.5'),
      'mine.md:46:29: "seconds": expected a whole number',
      'because iperf3 measures whole seconds only',
    ],
    ['kind: preflight', experimentOf('[off, on]'), 'mine.md:9:3: "needs": expected "iperf3" in the list', ''],
    ['kind: preflight', experimentOf('[off, onn]'), 'mine.md:43:15: there is no arm "onn"', 'did you mean "on"?'],
  ])('%s -> %s', (part, by, place, words) => {
    const problems = problemsOf(part, by)
    expect(
      problems.find((one) => one.startsWith(place)),
      problems.join('\n'),
    ).toContain(words)
  })

  it('finds HTML in a variable', () => {
    expect(problemsOf('name: IPv6', 'name: <b>IPv6</b>')).toEqual([
      expect.stringMatching(/^mine\.md:27:1: HTML is not allowed/),
    ])
  })

  it('reports all problems of a file in order, without duplicates', () => {
    const bad = good.replace('minutes: 5', 'minutes: x').replace('kind: preflight', 'kind: x')
    const found = parseLab('mine', bad, 'mine.md').problems
    expect(found.map(({ line }) => line)).toEqual([7, 41])
  })

  it.each([
    ['an empty file', 'mine', ''],
    ['no front matter', 'mine', '## Why? {#why}\n\nBecause.\n'],
    ['front matter that is a list', 'mine', '---\n- a\n---\n\n## Why? {#why}\n\nBecause.\n'],
    ['no step', 'mine', good.slice(0, good.indexOf('## Why'))],
    ['another kind of name', 'My Lab', good],
    ['too much', 'mine', `${good}${'x'.repeat(MAX_LAB_CHARACTERS)}`],
    ['too many steps', 'mine', `${good}${Array.from({ length: 60 }, (_, n) => `## S {#s${n}}\n\nText.\n`).join('\n')}`],
    ['an alias bomb', 'mine', good.replace('order: 3', bomb())],
  ])('%s is a problem and no lab', (_what, id, text) => {
    const { labs, problems } = parseLab(id, text, 'mine.md')
    expect(labs).toEqual([])
    expect(problems.length).toBeGreaterThan(0)
  })
})

function captureOf(family: string): string {
  return `kind: capture\narm: on\nfamily: ${family}\nrequestBytes: 80000\nresponseBytes: 80000`
}

function experimentOf(arms: string): string {
  const one =
    '{ id: one, label: One, family: "${variant}", benchmark: { tool: iperf3, omitSeconds: 1, intervalSeconds: 1 } }'
  return `kind: experiment
plan:
  arms: ${arms}
  cases: [${one}]
repeats: { default: 4, min: 1, max: 9 }
seconds: { default: 2, min: 1, max: 9 }`
}

/** Each line stands for ten of the one before. */
function bomb(): string {
  const lines = Array.from({ length: 9 }, (_, n) => `b${n + 1}: &b${n + 1} [${`*b${n}, `.repeat(10)}]`)
  return ['b0: &b0 [x]', ...lines].join('\n')
}

describe('any file content', () => {
  function isSafe(text: string): void {
    const { labs, problems } = parseLab('mine', text, 'mine.md')
    expect(labs.length > 0).toBe(problems.length === 0)
    const lines = text.split(/\r\n|\r|\n/).length
    for (const { line, column, message } of problems) {
      expect(line).toBeGreaterThanOrEqual(1)
      expect(line).toBeLessThanOrEqual(lines + 1)
      expect(column).toBeGreaterThanOrEqual(1)
      expect(message).not.toBe('')
    }
  }

  it('is parsed, or reported with a position within the file', () => {
    assert(property(string({ unit: 'binary', maxLength: 300 }), isSafe))
  })

  it('a valid lab with arbitrary replacements', () => {
    const piece = constantFrom(
      '```',
      '---',
      '>',
      '<b>',
      '${',
      '{#x}',
      '## ',
      ': ',
      '[',
      '&a',
      '*a',
      '\t',
      '\u0000',
      '!!js',
      '- ',
    )
    assert(
      property(tuple(integer({ min: 0, max: good.length }), integer({ min: 0, max: 40 }), piece), ([at, length, by]) =>
        isSafe(good.slice(0, at) + by + good.slice(at + length)),
      ),
      { numRuns: 400 },
    )
  })

  it.each([
    ['[', '['],
    ['block quotes', '> '],
    ['lists', '- '],
    ['emphasis', '*a '],
    ['links', '[a]('],
    ['angles', '<'],
    ['backticks', '`a'],
    ['front matter', '---\na: '],
  ])(
    'deeply nested %s end soon',
    (_what, unit) => {
      const text = unit.repeat(Math.floor((MAX_LAB_CHARACTERS - good.length) / unit.length / 2))
      const before = performance.now()
      isSafe(good.replace('order: 3', `order: ${text}`))
      isSafe(`${good}\n${text}`)
      expect(performance.now() - before).toBeLessThan(10_000)
    },
    30_000,
  )
})

describe('a text that would keep the parser busy', () => {
  const head = good.slice(0, good.indexOf('\n---\n') + 5)

  it.each([
    ['lists in lists', '1. '.repeat(20_000), 'at most 20 lists and quotes'],
    ['quotes in quotes', '> '.repeat(30_000), 'at most 20 lists and quotes'],
    ['emphasis', 'a*'.repeat(30_000), 'at most 1000 of * and _ in one paragraph'],
    ['emphasis over lines', 'a*\n'.repeat(20_000), 'at most 1000 of * and _ in one paragraph'],
    ['links', '[a]('.repeat(16_000), 'at most 1000 of [ in one paragraph'],
  ])('%s: is not parsed', (_what, text, message) => {
    const { problems } = parseLab('mine', `${head}\n${text}`, 'mine.md')
    expect(problems.map(formatLabProblem)).toEqual([expect.stringContaining(message)])
  })

  it('has a hundred problems at most', () => {
    const { problems } = parseLab('mine', `---\n${'a: 1\n'.repeat(5_000)}---\n`, 'mine.md')
    expect(problems).toHaveLength(100)
  })
})
