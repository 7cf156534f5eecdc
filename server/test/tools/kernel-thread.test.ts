import { describe, expect, test } from 'vitest'
import {
  affinityArgv,
  goesFirst,
  goFirstArgv,
  napiThreadsArgv,
  parseAffinity,
  parsePids,
  parseSchedstat,
  pinArgv,
  policyArgv,
  schedstatArgv,
} from '../../src/tools/kernel-thread.ts'

describe('kernel threads of devices', () => {
  test('are found by the device’s name', () => {
    expect(napiThreadsArgv('eth0')).toEqual(['pgrep', '^napi/eth0-'])
    expect(parsePids('812\n90210\n')).toEqual([812, 90210])
    expect(parsePids('')).toEqual([])
  })
})

describe('the times of a thread', () => {
  test('are those on a CPU and waiting for one', () => {
    expect(schedstatArgv(812)).toEqual(['cat', '/proc/812/schedstat'])
    expect(parseSchedstat('45982391 1372049 10245\n')).toEqual({ runNs: 45_982_391, waitNs: 1_372_049 })
  })

  test.each(['', '0 0 0\n', '45982391\n', 'cat: /proc/812/schedstat: No such file or directory'])(
    'are nothing else: %j',
    (text) => {
      expect(() => parseSchedstat(text)).toThrow(expect.objectContaining({ code: 'tool_output_unreadable' }))
    },
  )
})

describe('the CPUs of a thread', () => {
  test('are read, and set to one', () => {
    expect(affinityArgv(812)).toEqual(['taskset', '-pc', '812'])
    expect(pinArgv(812, 0)).toEqual(['taskset', '-pc', '0', '812'])
    expect(parseAffinity('pid 812’s current affinity list: 0,2-4'.replace('’', "'"))).toEqual([0, 2, 3, 4])
    const pinned = ["pid 812's current affinity list: 0,1", "pid 812's new affinity list: 0", ''].join('\n')
    expect(parseAffinity(pinned)).toEqual([0])
  })

  test('are nothing else', () => {
    const text = "taskset: failed to set pid 812's affinity: Operation not permitted"
    expect(() => parseAffinity(text)).toThrow(expect.objectContaining({ code: 'tool_output_unreadable' }))
  })
})

describe('the priority of a thread', () => {
  test('is set, and read back', () => {
    expect(goFirstArgv(812)).toEqual(['chrt', '--fifo', '--pid', '1', '812'])
    expect(policyArgv(812)).toEqual(['chrt', '--pid', '812'])
    const lines = (policy: string): string =>
      [`pid 812's current scheduling policy: ${policy}`, "pid 812's current scheduling priority: 1", ''].join('\n')
    expect(goesFirst(lines('SCHED_FIFO'))).toBe(true)
    expect(goesFirst(lines('SCHED_OTHER'))).toBe(false)
    expect(goesFirst('')).toBe(false)
  })
})
