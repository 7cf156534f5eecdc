import { describe, expect, test } from 'vitest'
import { parseClsactPackets } from '../../src/tools/qdisc.ts'

/** As iproute2 6.15 prints it for a device with clsact. */
function clsact(dev: string, packets: number): object {
  const counters = { drops: 0, overlimits: 0, requeues: 0, backlog: 0, qlen: 0 }
  return { kind: 'clsact', handle: 'ffff:', dev, parent: 'ffff:fff1', options: {}, bytes: 180, packets, ...counters }
}

const queue = { kind: 'noqueue', handle: '0:', dev: 'eth0', root: true, refcnt: 2, options: {}, bytes: 9, packets: 9 }

describe('packets that came as far as TC', () => {
  test('are those of clsact, on the devices between machines', () => {
    const printed = [queue, clsact('eth0', 5), clsact('eth1', 2), clsact('lxc12ab', 70), clsact('cilium_host', 700)]
    expect(parseClsactPackets(JSON.stringify(printed))).toBe(7)
  })

  test('are 0 where none came, and unknown without clsact', () => {
    expect(parseClsactPackets(JSON.stringify([queue, clsact('eth0', 0)]))).toBe(0)
    expect(parseClsactPackets(JSON.stringify([queue, {}]))).toBeNull()
  })

  test.each(['', 'qdisc clsact ffff: dev eth0', '[{"kind":"clsact","dev":"eth0","packets":-1}]'])(
    'can’t be read from %s',
    (text) => {
      expect(() => parseClsactPackets(text)).toThrow(expect.objectContaining({ code: 'tool_output_unreadable' }))
    },
  )
})
