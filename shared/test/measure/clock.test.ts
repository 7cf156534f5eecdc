import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  allBenchmarks,
  allMetrics,
  axisTitle,
  benchmarkKind,
  chartsOf,
  formatCell,
  formatMetric,
  headOf,
  mainMetricOf,
  metricOf,
} from '../../src/features/metrics.ts'
import { asPrinted, storedValues } from '../../src/features/printed.ts'
import {
  COUNTED_CLOCK,
  areCounted,
  clockAxis,
  clockOf,
  countedId,
  formatClockTime,
  formatInstructions,
  formatMoment,
  isCounted,
} from '../../src/measure/clock.ts'
import { capture } from '../../src/measure/capture.ts'
import { paper } from '../../src/charts/draw/chart.ts'
import { inlineSvg } from '../../src/charts/draw/svg.ts'
import { packetsChart } from '../../src/charts/packets-chart.ts'
import { clusterFacts, environment, measured } from '../builders.ts'
import { timeWords } from '../time-words.ts'

const CLOCK = COUNTED_CLOCK

describe('a testbed’s clock', () => {
  it('is known before the testbed has facts', () => {
    expect(clockOf({ kind: 'counted', facts: null })).toBe(COUNTED_CLOCK)
    expect(clockOf({ kind: 'netns', facts: null })).toBeNull()
    expect(clockOf(null)).toBeNull()
  })

  it('is as its facts say, also of a recording', () => {
    const facts = clusterFacts([], { kind: 'counted', cluster: null, instructionsPerMicrosecond: 1_000 })
    expect(clockOf({ kind: 'recording', facts })).toBe(1_000)
  })
})

const isOnMachineClock = ({ noun }: { readonly noun: string }): boolean => noun.endsWith('on the machine’s clock')

describe('every metric of the registry', () => {
  const timed = allMetrics().filter(({ counted }) => counted !== 'same')

  it('has a counted form where its values depend on time', () => {
    expect(timed.length).toBeGreaterThan(10)
    for (const one of allMetrics()) {
      const { unit, id, counted } = one
      // A metric whose unit is one of time can't say that it is the same without time.
      if (isCounted(id) && isOnMachineClock(one)) continue
      if (counted === 'same') expect([id, timeWords(unit)]).toEqual([id, []])
      else if (counted !== 'absent') expect(metricOf(countedId(id)).unit).not.toBe('')
    }
  })

  it.each(timed.filter(({ counted }) => counted !== 'absent').map(({ id }) => id))(
    'shows %s in instructions in every form that it has',
    (id) => {
      const one = metricOf(countedId(id))
      expect(one.better).toBe(metricOf(id).better)
      if (isOnMachineClock(one)) return
      for (const value of [0, 0.04, 7.5, 88, 742, 9_999.7, 12_345, 1_349_000, 2.5e8, 7e10]) {
        const shown = [formatMetric(one.id, value), formatCell(one.id, value), one.say(value)]
        expect(shown.flatMap(timeWords)).toEqual([])
        expect(formatMetric(one.id, value)).toMatch(/instructions/)
        expect(one.say(value)).toMatch(/instructions/)
      }
      const { name, noun, short, unit, axis, words, column } = one
      const said = [
        name,
        noun,
        short,
        unit,
        axis.title,
        axis.unit,
        words.more,
        words.less,
        headOf(one.id),
        axisTitle(one.id),
      ]
      expect(said.flatMap(timeWords)).toEqual([])
      expect(`${axis.title} ${headOf(one.id)} ${column}`).toMatch(/instructions.*instructions.*instructions/i)
      expect(column).not.toMatch(/_(us|ns|ms|s|per_s)$/)
    },
  )

  it('shows a time or a rate that a limit or a delay sets as time or rate, and names the clock', () => {
    const shown = allMetrics().filter((one) => isCounted(one.id) && isOnMachineClock(one))
    expect(shown.map(({ id }) => id)).toEqual(expect.arrayContaining(['countedStreamPing', 'countedStreamRate']))
    for (const { id, name, noun, axis, column, format } of shown) {
      expect([name, noun, axis.title, headOf(id)].filter((words) => !words.includes('machine’s clock'))).toEqual([])
      expect(format(42e6)).toMatch(/^42000000\.0 ms$|^42\.0 Mbit\/s$/)
      expect(column).toMatch(/_machine_(ms|bit_per_s)$/)
    }
  })

  it('has a column of its own in each form', () => {
    const columns = allMetrics().flatMap(({ column }) => column ?? [])
    expect(new Set(columns).size).toBe(columns.length)
    expect(new Set(allMetrics().map(({ id }) => id)).size).toBe(allMetrics().length)
    expect(
      allMetrics()
        .filter(({ id }) => isCounted(id))
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(timed.flatMap(({ id, counted }) => (counted === 'absent' ? [] : [countedId(id)])).toSorted())
  })

  it('is stored in instructions, from which what the tool printed follows', () => {
    const ids = timed.map(({ id }) => id)
    fc.assert(
      fc.property(fc.constantFrom(...ids), fc.double({ min: 1e-3, max: 1e12, noNaN: true }), (id, value) => {
        const values = storedValues({ [id]: value, acks: 2 }, CLOCK)
        expect(values[id]).toBeUndefined()
        expect(values['acks']).toBe(2)
        if (metricOf(id).counted === 'absent') return
        expect(areCounted(values)).toBe(true)
        const taken = { ...measured({ fingerprint: environment({ instructionsPerMicrosecond: CLOCK }) }), values }
        expect((asPrinted(taken).values[id] ?? 0) / value).toBeCloseTo(1, 9)
        expect(Object.keys(asPrinted(taken).values).toSorted()).toEqual(['acks', id].toSorted())
      }),
    )
    expect(storedValues({ tps: null }, CLOCK)).toEqual({ countedTps: null })
    expect(storedValues({ tps: 5 }, null)).toEqual({ tps: 5 })
  })
})

describe('a tool where instructions are counted', () => {
  it.each(allBenchmarks().map(({ tool }) => tool))('has no metric of %s in time, and no other words', (tool) => {
    const kind = benchmarkKind({ tool }, {}, true)
    const { compared, charts, beside, figures, columns, brief, live, sampled, caption } = kind
    const all = [compared, charts.flat(), beside, figures, columns, brief, [live], sampled].flat()
    expect(all.filter((id) => metricOf(id).counted !== 'same')).toEqual([])
    expect(timeWords(caption)).toEqual([])
    // The time of `rulesLoadMs` passes outside of the machine, and still every metric has a counted form.
    expect(compared).toHaveLength(benchmarkKind({ tool }, {}).compared.length)
    const [main = ''] = compared
    expect(chartsOf(tool, compared)).toEqual(charts.filter((panel) => panel.every((id) => compared.includes(id))))
    expect(chartsOf(null, compared)[0]).toContain(main)
  })

  it('is recognised by the values', () => {
    expect(mainMetricOf({ tool: 'tcp-rr' }, { countedTps: 5 })).toBe('countedTps')
    expect(mainMetricOf({ tool: 'tcp-rr' }, { tps: 5 })).toBe('tps')
    expect(benchmarkKind({ tool: 'tcp-rr' }, {}, true).caption).toBe('transactions per billion instructions')
  })
})

describe('the words', () => {
  it('have three or four digits', () => {
    expect([343, 9_999, 34_300, 1_349_000, 12_500_000, 125e6, 2.5e9, 1.25e10].map(formatInstructions)).toEqual([
      '343 instructions',
      '9,999 instructions',
      '34.3 k instructions',
      '1,349 k instructions',
      '12.5 million instructions',
      '125 million instructions',
      '2,500 million instructions',
      '12.5 billion instructions',
    ])
    expect(formatMetric('countedTps', 742.3)).toBe('742 per billion instructions')
    expect(metricOf('countedTps').say(742.3)).toBe('742 transactions per billion instructions')
    expect(metricOf('countedCpuPerPacket').say(1_250)).toBe('1,250 instructions per packet')
    // netperf's 205.59 transactions a second of the counted machine.
    expect(storedValues({ tps: 205.59 }, CLOCK)['countedTps']).toBeCloseTo(1_644.72, 6)
    // 218.4 Mbit/s there.
    expect(storedValues({ throughput: 218.4e6 }, CLOCK)['countedThroughput']).toBeCloseTo(218.4, 6)
  })

  it('show how long a run is by the clock of the machine', () => {
    expect(formatClockTime(1, null)).toBe('1 s')
    expect(formatClockTime(0.5, null, 1)).toBe('0.5 s')
    expect(formatClockTime(1, CLOCK)).toBe('125 million instructions')
    expect(formatClockTime(0, CLOCK)).toBe('0 instructions')
    expect(clockAxis(CLOCK).tick(5)).toBe('625')
    expect(clockAxis(null)).toMatchObject({ title: null })
  })
})

describe('a captured packet', () => {
  const packet = {
    direction: 'request',
    length: 80_052,
    payload: 80_000,
    flags: '[P.]',
    lengthField: 0,
    jumbo: null,
    head: '',
  }
  const one = capture.parse({
    arm: 'on',
    family: 'ipv4',
    node: 'node1',
    device: 'lxc1',
    requestBytes: 80_000,
    responseBytes: 80_000,
    packets: [0, 120].map((at) => ({ ...packet, at })),
  })

  it('is at a time, or at an instruction', () => {
    expect(formatMoment(1_200, null)).toBe('1,200 µs')
    expect(formatMoment(120, CLOCK)).toBe('15.0 k instructions')
  })

  it('is drawn without a word of time where instructions are counted', () => {
    const drawn = (clock: number | null): string =>
      inlineSvg(packetsChart(one, { title: 'Packets', captures: [one], clock }, paper))
    expect(timeWords(drawn(null))).not.toEqual([])
    expect(timeWords(drawn(CLOCK))).toEqual([])
    expect(drawn(CLOCK)).toContain('15.0 k instructions')
  })
})
