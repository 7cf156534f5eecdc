import { release } from 'node:os'
import { decodeIpPacket, bytesOfHex } from '@expresslane/shared/measure/packet'
import { bytes } from '@expresslane/shared/base/units'
import { afterAll, describe, expect, test } from 'vitest'
import { capture } from '../../../src/runs/actions/capture.ts'
import { note } from '../../contract/contract-kit.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { performanceOn } from '../../support/runs/perform.ts'
import { bigTcp } from '../../support/runs/settings.ts'

const testbed = netnsTestbed()
afterAll(() => testbed.close())

const size = bytes.parse(80_000)
const message = { requestBytes: size, responseBytes: size }

/** The same message in as many packets as 64 KiB allow. */
const cut = { ipv4: [65_160, 14_840], ipv6: [64_260, 15_740] }

describe.each(['ipv4', 'ipv6'] as const)('a request over %s', (family) => {
  test.each([
    ['off', cut[family]],
    ['on', [80_000]],
  ] as const)('with BIG TCP %s', async (arm, payloads) => {
    const performance = performanceOn(testbed)
    const outcome = await capture({ kind: 'capture', family, arm, ...message }, performance)
    expect(outcome).toMatchObject({ passed: true })

    const taken = performance.events.find((event) => event.type === 'packets.captured')?.capture
    const data = taken?.packets.filter(({ payload, again }) => payload > 0 && !again) ?? []
    for (const direction of ['request', 'response']) {
      expect(data.filter((one) => one.direction === direction).map(({ payload }) => payload)).toEqual(payloads)
    }
    const [first] = data
    expect(taken).toMatchObject({ node: 'node1', device: 'eth0', arm, family, ...message })
    expect(first).toMatchObject({ at: 0, direction: 'request' })
    expect(data.every(({ lengthField }) => (lengthField === 0) === (arm === 'on'))).toBe(true)
    // Linux 7 writes no such header.
    const hasHeader = arm === 'on' && family === 'ipv6' && Number.parseInt(release(), 10) < 7
    expect(data.every(({ jumbo }) => (jumbo !== null) === hasHeader)).toBe(true)
    const ip = decodeIpPacket(bytesOfHex(first?.head ?? '') ?? new Uint8Array())
    expect(ip?.destination).toBe(family === 'ipv4' ? '10.31.2.2' : 'fd00:31:2::2')
    // The log has no raw bytes: packets are reported decoded.
    expect(performance.events.some((event) => event.type === 'command.output' && event.text.includes('0x0000'))).toBe(
      false,
    )
  })
})

test('the path is restored and its pods are removed', async () => {
  await testbed.set(bigTcp({ ipv4: false, ipv6: true, limit: 131_072 }), note())
  const performance = performanceOn(testbed)
  await capture({ kind: 'capture', family: 'ipv4', arm: 'on', ...message }, performance)
  const { settings, placement } = await testbed.read(note())
  expect(settings).toEqual(bigTcp({ ipv4: false, ipv6: true, limit: 131_072, mtu: null, cpus: null }))
  expect(placement).toBeNull()
})

test('cancelled while it captures, it restores the path', async () => {
  const before = await testbed.read(note())
  const cancel = new AbortController()
  const reason = new Error('cancelled')
  const performance = performanceOn(testbed, cancel.signal, (event) => {
    if (event.type === 'command.output' && event.text.includes('listening on')) cancel.abort(reason)
  })
  await expect(capture({ kind: 'capture', family: 'ipv4', arm: 'on', ...message }, performance)).rejects.toBe(reason)
  const after = await testbed.read(note())
  expect(after.settings).toEqual(before.settings)
  expect(after.placement).toBeNull()
  const started = performance.events.filter(({ type }) => type === 'command.started').length
  expect(performance.events.filter(({ type }) => type === 'command.ended')).toHaveLength(started)
})
