/** A report of a small made-up walk; what every test changes is in its hands. */
import type { RunEvent } from '../../src/run/events.ts'
import type { Lab } from '../../src/labs/lab.ts'
import { session } from '../../src/wire/protocol.ts'
import { outputOf, sessionReport, type RunRecord } from '../../src/report/build.ts'
import type { Report } from '../../src/report/model.ts'
import type { Fingerprint } from '../../src/measure/fingerprint.ts'
import { compareArms } from '../../src/compare/compare.ts'
import { anAddress, aPage, aTable, probing, somePackets } from '../exhibits.ts'
import { environment, logged, measured, runOf, started } from '../builders.ts'

export const options = { labs: [] as readonly Lab[], madeBy: 'Expresslane 0.1.0', now: 1_700_000_000_000 }

function recordOf(events: RunEvent[], id = 'r_00000001', from = 1): RunRecord {
  const all = logged(events, from, id)
  return { run: runOf(all), output: outputOf(all) }
}

/** Three runs of an arm, the first to warm up. */
function measuring(arm: 'off' | 'on', tps: number, env: Fingerprint = environment()): RunEvent[] {
  const each = [1, 2, 3].flatMap((repeat): RunEvent[] => {
    const warmup = repeat === 1
    const of = { arm, caseId: null, warmup, family: 'ipv4' as const, repeat }
    return [
      { type: 'repeat.started', ...of, benchmark: null, repeats: 3, seconds: 1 },
      { type: 'measurement.taken', measurement: measured({ values: { tps: tps + repeat }, ...of, fingerprint: env }) },
    ]
  })
  return [started({ stepId: arm === 'off' ? 'baseline' : 'measure-on' }), ...each]
}

interface Words {
  /** Printed by a tool or the system, wherever text can come from. */
  readonly text?: string
  readonly env?: Fingerprint
}

/** A walk of two arms and their comparison. */
export function walk({ text = 'plain', env = environment() }: Words = {}, testbed = 'netns'): Report {
  const off = recordOf(
    [
      ...measuring('off', 10_000, env),
      { type: 'command.started', commandId: 1, where: text, typed: text },
      { type: 'command.output', commandId: 1, stream: 'stdout', text },
      { type: 'command.output', commandId: 1, stream: 'stderr', text },
      {
        type: 'step.checked',
        outcome: {
          passed: true,
          sentence: text,
          observations: [{ label: text, expected: text, seen: text, ok: true }],
          hint: null,
        },
      },
    ],
    'r_00000001',
  )
  const on = recordOf(measuring('on', 15_000, environment({ kernel: text })), 'r_00000002', 101)
  const taken = [off, on].map(({ run }) => run.repeats.flatMap(({ measurement }) => measurement ?? []))
  const comparison = compareArms(taken[0] ?? [], taken[1] ?? [], { names: { off: text, on: `${text} on` } })
  if (comparison === null) throw new Error('nothing to compare')
  const compare = recordOf(
    [
      started({ stepId: 'compare' }),
      {
        type: 'cases.compared',
        comparisons: [
          { caseId: null, arm: 'on', against: 'off', comparison: { ...comparison, sentence: text, technical: text } },
        ],
      },
    ],
    'r_00000003',
    201,
  )
  return reportOf([off, on, compare], testbed)
}

function reportOf(records: RunRecord[], testbed: string): Report {
  const of = session.parse({ id: 's_00000001', labId: 'big-tcp-ipv4', testbed, owner: 'owner', createdAt: 1 })
  return sessionReport(of, records, options)
}

/** A walk of one probe. @param text what a tool printed, wherever an exhibit can have it */
export function probed(text: string): Report {
  const found = [
    { ...aTable, title: text, columns: [text, text], rows: [[text, text], [text]], more: 3 },
    { ...aPage, title: text, url: text, text },
    { ...anAddress, title: text, ipv6: text, ipv4: text },
    anAddress,
    { ...somePackets, title: text, before: { ...somePackets.before, where: text } },
    { ...somePackets, after: { where: text, head: '' } },
  ]
  return reportOf([recordOf(probing(found))], 'netns')
}
