/** A participant whose successful requests could push the instructor's lines out of the audit log. */
import { auditResponse, type AuditEntry } from '@expresslane/shared/wire/board'
import type { BenchApp } from '../../support/app.ts'
import type { Figure } from '../figure.ts'
import { attackFigure } from './attack-figure.ts'
import { askAsInstructor } from './room.ts'
import { get, post } from './task.ts'

/** Lines of one guest in a minute of the clock: changes, refusals, and a line with the number of lines that are left out. */
const MOST_A_MINUTE = 60
const MINUTE_MS = 60_000
const AT_ONCE = 8

async function auditOf(app: BenchApp): Promise<AuditEntry[]> {
  const all: AuditEntry[] = []
  for (let next: number | null = 0; next !== null;) {
    const path: string = `/api/audit?limit=200${next === 0 ? '' : `&before=${next}`}`
    const page = auditResponse.parse(JSON.parse((await askAsInstructor(app, get(path))).text))
    all.push(...page.entries)
    next = page.next
  }
  return all
}

/** The most lines of a person in one minute of the clock. */
function mostInAMinute(lines: readonly AuditEntry[]): number {
  const minutes = Map.groupBy(lines, ({ at }) => Math.floor(at / MINUTE_MS))
  return Math.max(0, ...[...minutes.values()].map(({ length }) => length))
}

export const auditFlood: Figure = attackFigure({
  name: 'audit-flood',
  what: 'A participant makes successful changing requests as fast as they can',
  role: 'participant',
  requests: { short: 1000, long: 32_500 },
  async prepare({ app, attacker }) {
    const recordings = ['big-tcp-ipv4', 'big-tcp-ipv6']
    const earlier = (await auditOf(app)).filter(({ role }) => role === 'instructor').map(({ id }) => id)
    return {
      messages: recordings.map((id) => post('/api/sessions', { labId: id, testbed: `recording:${id}` })),
      connections: AT_ONCE,
      each: 1,
      everyMs: 0,
      async after() {
        const lines = await auditOf(app)
        const left = new Set(lines.map(({ id }) => id))
        const lost = earlier.filter((id) => !left.has(id)).length
        const most = mostInAMinute(lines.filter(({ principal }) => principal === attacker.id))
        const faults = [
          ...(earlier.length === 0 ? ['the instructor has no lines'] : []),
          ...(lost > 0 ? [`${lost} of the instructor’s ${earlier.length} lines are gone`] : []),
          ...(most > MOST_A_MINUTE ? [`${most.toLocaleString('en')} lines of the participant in a minute`] : []),
        ]
        return {
          faults,
          notes: [`the instructor’s ${earlier.length} lines are there, at most ${most} of the participant in a minute`],
        }
      },
    }
  },
})
