/** Profiles in a report: why its arms differ. */
import { describe, expect, it } from 'vitest'
import type { ArmProfile } from '../../src/profile/made.ts'
import type { RunEvent } from '../../src/run/events.ts'
import type { RunState } from '../../src/run/run-state.ts'
import { runReport, sessionReport } from '../../src/report/build.ts'
import { reportPieces, type ReportFormat } from '../../src/report/file.ts'
import { report as reportSchema, type Report } from '../../src/report/model.ts'
import { session } from '../../src/wire/protocol.ts'
import { aSession, ended, logged, measured, repeatStarted, runOf, started } from '../builders.ts'
import { bigTcpProfiles } from '../profiled.ts'
import { asking, faster } from '../second-opinion.ts'
import { options } from './samples.ts'

const of = session.parse({ id: aSession, labId: 'big-tcp-ipv4', testbed: 'netns', owner: 'owner', createdAt: 1 })
const made = (profile: ArmProfile): RunEvent => ({ type: 'profile.made', ...profile })
const written = (report: Report, format: ReportFormat): string => [...reportPieces(report, format)].join('')

function experimentWith(profiles: readonly ArmProfile[]): Report {
  const run = runOf(logged([...asking(faster, { over: { params: {} } }), ...profiles.map(made), ended]))
  return runReport(of, { run, output: [] }, [], options)
}

describe('a report of an experiment with profiles', () => {
  const report = experimentWith(bigTcpProfiles('rr-80000'))
  const html = written(report, 'html')

  it('says why the arms differ, with the groups and the flame graph', () => {
    expect(html).toContain('<h3>Why? off → on</h3>')
    expect(html).toContain('A transaction takes 55,636 instructions fewer (26.5 %).')
    expect(html).toContain('tcp_recvmsg_locked → __tcp_transmit_skb: 2.0 → 0.0 calls a transaction.')
    expect(html).toContain('<th scope="row">IP, routing and neighbours</th>')
    expect(html).toContain('<title>everything: 209,852 → 154,216 instructions (−55,636)</title>')
  })

  it('has the profiles as data, which its schema knows', () => {
    const [run] = reportSchema.parse(JSON.parse(written(report, 'json'))).runs
    expect(run?.profiles).toEqual(bigTcpProfiles('rr-80000'))
  })

  it('says why an arm has none', () => {
    const [off, on] = bigTcpProfiles('rr-80000')
    if (off === undefined || on === undefined) throw new Error('no profiles')
    const reason = 'The machine made no profile.'
    const shown = written(experimentWith([off, { ...on, profile: null, reason }]), 'html')
    expect(shown).toContain(`<p>No profile of “on”: ${reason}</p>`)
    expect(shown).not.toContain('<title>everything')
  })

  it('does not speak of profiles without any', () => {
    const without = experimentWith([])
    expect(written(without, 'html')).not.toContain('Why?')
    expect(written(without, 'json')).not.toContain('profiles')
  })
})

describe('a report of steps that each measured an arm', () => {
  it('compares their profiles', () => {
    const taken = ['off', 'on'].flatMap((arm, place) =>
      [1, 2, 3, 4, 5].map((repeat) =>
        measured({ arm, repeat, values: { tps: (place === 0 ? 10_000 : 12_000) + repeat } }),
      ),
    )
    const step = (profile: ArmProfile, place: number): RunState => {
      const own = taken.filter(({ arm }) => arm === profile.arm)
      const events = own.flatMap((measurement): RunEvent[] => [
        repeatStarted(measurement.repeat, { arm: measurement.arm, benchmark: measurement.benchmark }),
        { type: 'measurement.taken', measurement },
      ])
      const all = [started({ stepId: profile.arm }), ...events, made(profile), ended]
      return runOf(logged(all, 1 + place * 100, `r_0000000${place}`))
    }
    const [compared] = runOf(logged(asking(faster))).comparisons
    if (compared === undefined) throw new Error('nothing compared')
    const compares: RunEvent[] = [{ type: 'cases.compared', comparisons: [{ ...compared, caseId: null }] }, ended]
    const comparing = runOf(logged([started({ stepId: 'compare' }), ...compares], 1000, 'r_00000009'))
    const runs = [...bigTcpProfiles().map(step), comparing]
    const html = written(
      sessionReport(
        of,
        runs.map((run) => ({ run, output: [] })),
        options,
      ),
      'html',
    )
    expect(html).toContain('<h3>Why? Off → On</h3>')
    expect(html).toContain('A transaction takes 55,636 instructions fewer')
  })
})
