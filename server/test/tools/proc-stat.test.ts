import { describe, expect, test } from 'vitest'
import { busySeconds, type CpuTimes } from '../../src/benchmarks/cpu-time.ts'
import { parseProcStat } from '../../src/tools/proc-stat.ts'
import { readFixture } from './fixture.ts'

const bootId = '067ddca4-6202-4795-98f6-9bbcf42ec8e1'

describe('CPU time', () => {
  test('is the time that a recorded machine’s CPUs worked', () => {
    const { lines } = readFixture('linux/6.18-proc-stat')
    const { bootId: boot, busySeconds: busy } = parseProcStat(lines.join('\n'))
    expect(boot).toBe(lines[0])
    const one = lines.filter((line) => /^cpu\d/.test(line)).map((line) => line.split(/\s+/).slice(1).map(Number))
    const ticks = one.flatMap(
      ([user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0]) => user + nice + system + irq + softirq,
    )
    // The kernel rounds each CPU by itself.
    expect(busy).toBeCloseTo(ticks.reduce((sum, value) => sum + value, 0) / 100, 0)
  })

  test('leaves out waiting, and time that a hypervisor gave to others', () => {
    expect(parseProcStat(`${bootId}\ncpu  100 20 300 9999 9999 4 50 9999 0 0\n`)).toEqual({ bootId, busySeconds: 4.74 })
  })

  test.each(['', bootId, `cpu  1 2 3 4 5 6 7`, `${bootId}\ncpu  1 2\n`])('is unreadable in %j', (text) => {
    expect(() => parseProcStat(text)).toThrow(expect.objectContaining({ code: 'tool_output_unreadable' }))
  })
})

describe('a pair', () => {
  const at = (client: number, server: number, boots: [string, string] = ['a', 'b']): CpuTimes =>
    new Map([
      ['client', { bootId: boots[0], busySeconds: client }],
      ['server', { bootId: boots[1], busySeconds: server }],
    ])

  test('on two machines was busy for both', () => {
    expect(busySeconds(at(10, 20), at(13, 22))).toBe(5)
  })

  test('on one machine counts once', () => {
    expect(busySeconds(at(10, 10, ['a', 'a']), at(13, 13, ['a', 'a']))).toBe(3)
  })

  test('is unknown if it was not read, or if a machine was booted in between', () => {
    expect(busySeconds(null, at(1, 1))).toBeNull()
    expect(busySeconds(at(10, 10), at(1, 11, ['c', 'b']))).toBeNull()
  })

  test('with a third role on a machine of its own was busy for that one, too', () => {
    const three = (client: number, forwarder: number): CpuTimes =>
      new Map([...at(client, client, ['a', 'a']), ['forwarder', { bootId: 'f', busySeconds: forwarder }]])
    expect(busySeconds(three(10, 5), three(13, 9))).toBe(7)
  })
})
