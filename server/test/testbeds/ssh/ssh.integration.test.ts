/** A host over ssh passes the same contracts as this machine. Lost connections and refused logins end with clear errors. */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createThisMachine } from '../../../src/testbeds/netns/this-machine/index.ts'
import type { HostOptions } from '../../../src/testbeds/ssh/connection.ts'
import { createSshMachine } from '../../../src/testbeds/ssh/machine.ts'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { bigTcpContract } from '../../contract/contract-big-tcp.ts'
import { note, run } from '../../contract/contract-kit.ts'
import { testbedContract } from '../../contract/testbed-contract.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { pair } from '../../support/runs/pair.ts'
import { terminalAt } from '../typed-shell.ts'
import { createSshHosts, type SshHosts } from '../../support/ssh-hosts.ts'

let hosts: SshHosts
beforeAll(async () => {
  hosts = await createSshHosts({
    'host-a': {},
    greeting: { login: 'echo "Welcome! This host is for work."' },
    locked: { login: 'echo "This account is not available."; exit 1' },
    other: {
      login: `cd "$(dirname "$0")"; echo 'echo riscv64' >uname; chmod +x uname; PATH="$PWD:$PATH"`,
    },
    slow: { login: 'exec cat >/dev/null' },
  })
})
afterAll(() => hosts.remove())

async function overSsh(destination: string, over: Partial<HostOptions> = {}): Promise<Testbed> {
  const env = { PATH: process.env['PATH'] ?? '' }
  const host = { destination, configFile: hosts.configFile, env, machine: createThisMachine(), connectMs: 120_000 }
  return netnsTestbed({ machine: await createSshMachine({ ...host, ...over }, new AbortController().signal) })
}

testbedContract('a host over ssh', () => overSsh('host-a'))
bigTcpContract('a host over ssh', () => overSsh('host-a'))

/** The ids of this machine's processes with these words in their command lines. */
function processesWith(words: string): string[] {
  const found = execFileSync('sh', ['-c', `pgrep -f -- "$1" || true`, 'sh', words], { encoding: 'utf8' })
  return found.split('\n').filter((id) => id !== '')
}

/** The id of the one process of ssh. */
function sshProcess(): number {
  const [id, ...more] = processesWith(`^ssh -T -F ${hosts.configFile}`)
  expect([id, more]).toEqual([expect.any(String), []])
  return Number(id)
}

test('a terminal is a shell in a namespace of the host, and changes by hand are named and undone', async () => {
  const testbed = await overSsh('host-a')
  onTestFinished(() => testbed.close())
  await testbed.deploy(pair, 'other-node', note())
  const shell = await terminalAt('node1', testbed)
  shell.resize({ rows: 40, columns: 120 })
  expect(await shell.run('stty size')).toContain('40 120')
  expect(await shell.run('ip -n pod1 -br link show dev eth0')).toMatch(/^mark-\d+-0/m)
  expect(await shell.run('ip route add 198.51.100.0/24 dev eth0')).toMatch(/^mark-\d+-0/m)
  await testbed.remove(note())
  expect(await testbed.terminals?.undo(note())).toEqual([
    { where: 'node1', change: 'added', line: expect.stringMatching(/^198\.51\.100\.0\/24 dev eth0/) },
  ])
  await shell.closed
})

describe('a connection', () => {
  test('that dies ends everything on the host, and the next use connects again', async () => {
    const testbed = await overSsh('host-a')
    onTestFinished(() => testbed.close())
    await testbed.deploy(pair, 'other-node', note())
    const before = await testbed.incarnation(note())
    const sleeping = run(testbed, 'client', ['sleep', '86399.25'])
    await expect.poll(() => processesWith('sleep 86399[.]25')).not.toEqual([])
    process.kill(sshProcess(), 'SIGKILL')
    await expect(sleeping).rejects.toMatchObject({ code: 'testbed_gone' })
    await expect.poll(() => processesWith('sleep 86399[.]25')).toEqual([])
    await testbed.deploy(pair, 'other-node', note())
    expect(await testbed.incarnation(note())).not.toBe(before)
  })

  test('that is cut without a word ends everything on the host', async () => {
    const testbed = await overSsh('host-a', { mostSilence: 2 })
    onTestFinished(() => testbed.close())
    await testbed.deploy(pair, 'other-node', note())
    const ssh = sshProcess()
    process.kill(ssh, 'SIGSTOP')
    onTestFinished(() => void process.kill(ssh, 'SIGCONT'))
    await expect.poll(() => processesWith('^/mnt/agent stdio 2$')).toEqual([])
  })

  test('leaves no process and no file on the host', async () => {
    const before = readdirSync('/mnt')
    const testbed = await overSsh('host-a')
    await testbed.deploy(pair, 'other-node', note())
    expect(readdirSync('/mnt')).toEqual(before)
    await testbed.close()
    await expect.poll(() => processesWith('^/mnt/agent stdio')).toEqual([])
  })

  test('is made through a login that greets', async () => {
    const testbed = await overSsh('greeting')
    onTestFinished(() => testbed.close())
    expect((await testbed.facts(note())).name).toBe('greeting')
  })
})

describe('the error names a host that can’t be used', () => {
  test('a host that ssh does not reach', async () => {
    await expect(overSsh('nowhere.invalid')).rejects.toMatchObject({
      code: 'testbed_unavailable',
      message: 'ssh does not reach nowhere.invalid.',
      remedyCommand: 'ssh nowhere.invalid true',
      detail: expect.stringContaining('nowhere.invalid'),
    })
  })

  test('a host whose account is locked', async () => {
    await expect(overSsh('locked')).rejects.toMatchObject({
      code: 'testbed_unavailable',
      message: 'The labs’ agent does not start on locked.',
      detail: expect.stringContaining('This account is not available.'),
    })
  })

  test('a host with another processor', async () => {
    await expect(overSsh('other')).rejects.toMatchObject({
      code: 'testbed_unavailable',
      detail: expect.stringContaining('The processor is riscv64.'),
    })
  })

  test('a host that does not answer in time', async () => {
    await expect(overSsh('slow', { connectMs: 3_000 })).rejects.toMatchObject({
      code: 'deadline_exceeded',
      message: 'slow was not ready within 3 seconds.',
    })
  })
})
