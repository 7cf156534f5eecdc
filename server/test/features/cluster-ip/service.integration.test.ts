import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { roles } from '@expresslane/shared/features/cluster-ip/places'
import { TRANSLATION } from '@expresslane/shared/features/cluster-ip/settings'
import { describe, expect, onTestFinished, test } from 'vitest'
import { serviceTopology } from '../../../src/features/cluster-ip/topology.ts'
import { note } from '../../contract/contract-kit.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { bpfHeldBy, descendants, hostNetwork, isRunning, until } from '../../testbeds/netns/host.ts'
import { loadedArgv, parseLoaded } from '../../tools/nodeport/diagnosis.ts'
import { serviceContract } from './service-contract.ts'

const script = fileURLToPath(new URL('stand-in.ts', import.meta.url))

/** Which of these programs the kernel still has. */
function stillLoaded(ids: readonly number[]): number[] {
  const [program = '', ...rest] = loadedArgv()
  const { programs } = parseLoaded(execFileSync(program, rest, { encoding: 'utf8' }).trim())
  return programs.flatMap(({ id }) => (ids.includes(id) ? [id] : []))
}

const heldBy = (pid: number): readonly number[] => bpfHeldBy(descendants(pid).map((one) => one.pid)).programs

describe.skipIf(process.getuid?.() !== 0)('as root', () => {
  serviceContract()

  test('a server that is killed leaves no program, no process, and no mount', async ({ signal }) => {
    const before = [hostNetwork(), readFileSync('/proc/self/mounts', 'utf8')]
    const server = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void server.kill('SIGKILL'))
    await once(server.stdout, 'data')
    const started = descendants(server.pid ?? 0)
    const programs = heldBy(server.pid ?? 0)
    expect(stillLoaded(programs)).toHaveLength(2)
    expect(readFileSync('/proc/self/mounts', 'utf8')).toBe(before[1])
    server.kill('SIGKILL')
    await once(server, 'exit')
    await until(() => started.every(({ pid }) => !isRunning(pid)), signal)
    await until(() => stillLoaded(programs).length === 0, signal)
    expect([hostNetwork(), readFileSync('/proc/self/mounts', 'utf8')]).toEqual(before)
  })

  test('removed pods take the programs with them', async ({ signal }) => {
    const testbed = netnsTestbed({ topology: serviceTopology })
    onTestFinished(() => testbed.close())
    const others = heldBy(process.pid)
    await testbed.set({ [TRANSLATION]: 'socket' }, note())
    await testbed.deploy({ roles }, 'other-node', note())
    const programs = heldBy(process.pid).filter((id) => !others.includes(id))
    expect(programs).toHaveLength(2)
    await testbed.remove(note())
    await until(() => stillLoaded(programs).length === 0, signal)
  })
})
