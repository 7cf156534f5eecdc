import { bytes } from '@expresslane/shared/base/units'
import { expect, onTestFinished, test } from 'vitest'
import { capture } from '../../../src/runs/actions/capture.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { bigTcpContract } from '../../contract/contract-big-tcp.ts'
import { testbedContract } from '../../contract/testbed-contract.ts'
import { performanceOn } from '../../support/runs/perform.ts'

const NOBODY = 65_534

/**
 * As root, this file's own process becomes an ordinary user; all modules are loaded by then, so that no file
 * needs to be readable by that user. Run by an ordinary user, the contract holds in `netns.test.ts` already.
 */
if (process.getuid?.() === 0) {
  process.setgroups?.([])
  process.setgid?.(NOBODY)
  process.setuid?.(NOBODY)
}

test('this user is not root', () => {
  expect(process.getuid?.()).not.toBe(0)
  expect(process.geteuid?.()).not.toBe(0)
})

testbedContract('netns, as an ordinary user', () => netnsTestbed())
bigTcpContract('netns, as an ordinary user', () => netnsTestbed())

test('an ordinary user can capture, although tcpdump gives up root', async () => {
  const testbed = netnsTestbed()
  onTestFinished(() => testbed.close())
  const size = bytes.parse(80_000)
  const action = { kind: 'capture', family: 'ipv6', arm: 'on', requestBytes: size, responseBytes: size } as const
  expect(await capture(action, performanceOn(testbed))).toMatchObject({ passed: true })
})
