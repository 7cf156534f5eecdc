import { bytes } from '@expresslane/shared/base/units'
import { expect, onTestFinished, test } from 'vitest'
import { capture } from '../../../src/runs/actions/capture.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { bigTcpContract } from '../../contract/contract-big-tcp.ts'
import { testbedContract } from '../../contract/testbed-contract.ts'
import { terminalAt } from '../typed-shell.ts'
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

test('an ordinary user has terminals: root of the testbed’s network, and nobody’s of the files', async () => {
  const testbed = netnsTestbed()
  onTestFinished(() => testbed.close())
  const shell = await terminalAt('node1', testbed)
  expect(await shell.run('echo $UID; ip link set dev lo down && echo changed')).toMatch(/^0\s+changed/m)
  expect(await shell.run('mount -o remount,bind,rw /usr')).not.toMatch(/^mark-2-0/m)
  expect(await shell.run('echo mine >/tmp/mine && cat /tmp/mine')).toMatch(/^mark-3-0/m)
  expect(await shell.run('ls -d /proc/[0-9]* | wc -l')).toMatch(/^[1-6]\s*$/m)
})

test('an ordinary user can capture, although tcpdump gives up root', async () => {
  const testbed = netnsTestbed()
  onTestFinished(() => testbed.close())
  const size = bytes.parse(80_000)
  const action = { kind: 'capture', family: 'ipv6', arm: 'on', requestBytes: size, responseBytes: size } as const
  expect(await capture(action, performanceOn(testbed))).toMatchObject({ passed: true })
})
