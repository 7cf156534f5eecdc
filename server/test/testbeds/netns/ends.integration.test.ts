import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { bytes } from '@expresslane/shared/base/units'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { note, run } from '../../contract/contract-kit.ts'
import type { NetnsOptions } from '../../../src/testbeds/netns/index.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { createThisMachine, type ThisMachineOptions } from '../../../src/testbeds/netns/this-machine/index.ts'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { loadedArgv, parseLoaded } from '../../tools/nodeport/diagnosis.ts'
import { toolsOf } from './tools-of.ts'
import { bpfHeldBy, descendants, hostNetwork, isRunning, threadsOfDevices, until, type BpfIds } from './host.ts'
import { pair } from '../../support/runs/pair.ts'
import { bigTcp } from '../../support/runs/settings.ts'

function testbedFor(machine?: ThisMachineOptions, options?: Partial<NetnsOptions>): Testbed {
  const testbed = netnsTestbed({ machine: createThisMachine(machine), ...options })
  onTestFinished(() => testbed.close())
  return testbed
}

/** Process 1 of this test's own testbed, as the host counts. */
function holder(): number {
  const unshare = descendants(process.pid).find(({ name }) => name === 'unshare')
  const init = unshare && descendants(unshare.pid).find(({ name }) => name === 'bash')
  if (init === undefined) throw new Error('there is no holder')
  return init.pid
}

/** The given BPF programs and maps that the kernel still has; only root may ask. */
function stillLoaded({ programs, maps }: BpfIds): BpfIds {
  if (programs.length === 0 && maps.length === 0) return { programs, maps }
  const [program = '', ...rest] = loadedArgv()
  const loaded = parseLoaded(execFileSync(program, rest, { encoding: 'utf8' }).trim())
  const there = (of: readonly { id: number }[], ids: readonly number[]): number[] =>
    of.flatMap(({ id }) => (ids.includes(id) ? [id] : []))
  return { programs: there(loaded.programs, programs), maps: there(loaded.maps, maps) }
}

function programsLoaded(ids: readonly number[]): readonly number[] {
  return stillLoaded({ programs: ids, maps: [] }).programs
}

describe('when the server is killed', () => {
  test('nothing is left: no process, and the host’s network is unchanged', async ({ signal }) => {
    const before = hostNetwork()
    const script = fileURLToPath(new URL('stand-ins/server.ts', import.meta.url))
    const server = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void server.kill('SIGKILL'))
    await once(server.stdout, 'data')
    const started = descendants(server.pid ?? 0)
    expect(started.map(({ name }) => name)).toEqual(expect.arrayContaining(['unshare', 'bash', 'netserver']))
    expect(hostNetwork()).toEqual(before)

    server.kill('SIGKILL')
    await once(server, 'exit')
    await until(() => started.every(({ pid }) => !isRunning(pid)), signal)
    expect(hostNetwork()).toEqual(before)
  })

  const root = process.getuid?.() === 0
  test.for(root ? ['nftables', 'xdp', 'tc'] : ['nftables'])(
    'while a node forwards with %s, no process and no program is left either',
    async (hook, { signal }) => {
      const before = hostNetwork()
      const script = fileURLToPath(new URL('stand-ins/forwarder.ts', import.meta.url))
      const server = spawn(process.execPath, [script, hook], { stdio: ['ignore', 'pipe', 'inherit'] })
      onTestFinished(() => void server.kill('SIGKILL'))
      const [line] = await once(server.stdout, 'data')
      const ids = z.array(z.number()).parse(JSON.parse(String(line)))
      expect(programsLoaded(ids)).toHaveLength(hook === 'nftables' ? 0 : 1)
      const started = descendants(server.pid ?? 0)
      expect(started.filter(({ name }) => name.startsWith('nodeport')).length).toBe(hook === 'nftables' ? 1 : 2)

      server.kill('SIGKILL')
      await once(server, 'exit')
      await until(() => started.every(({ pid }) => !isRunning(pid)) && programsLoaded(ids).length === 0, signal)
      expect(hostNetwork()).toEqual(before)
    },
  )

  test.runIf(root).for([
    ['xdp', 'new-flows'],
    ['tc', 'forward-max'],
    ['xdp', 'forward-paced'],
  ] as const)(
    'while packets are measured with %s and %s, no program, map, device or kernel thread is left',
    async ([hook, tool], { signal }) => {
      const before = hostNetwork()
      const earlier = new Set(threadsOfDevices())
      const script = fileURLToPath(new URL('stand-ins/measuring.ts', import.meta.url))
      const server = spawn(process.execPath, [script, hook, tool], { stdio: ['ignore', 'pipe', 'inherit'] })
      onTestFinished(() => void server.kill('SIGKILL'))
      await once(server.stdout, 'data')
      const started = descendants(server.pid ?? 0)
      const helpers = started.filter(({ name }) => name.startsWith('nodeport'))
      // The forwarder, the echo server, the sink and the generator.
      expect(helpers).toHaveLength(4)
      const held = bpfHeldBy(helpers.map(({ pid }) => pid))
      // Two forwarders, one sink, one generator. What is pinned would stay.
      expect(held).toMatchObject({ programs: { length: 4 }, maps: { length: 7 } })
      expect(stillLoaded(held)).toEqual(held)
      const threads = threadsOfDevices().filter((pid) => !earlier.has(pid))
      if (tool === 'forward-paced') expect(threads).not.toEqual([])

      server.kill('SIGKILL')
      await once(server, 'exit')
      await until(() => started.every(({ pid }) => !isRunning(pid)), signal)
      await until(() => {
        const { programs, maps } = stillLoaded(held)
        return programs.length === 0 && maps.length === 0
      }, signal)
      await until(() => threads.every((pid) => !isRunning(pid)), signal)
      expect(hostNetwork()).toEqual(before)
    },
  )
})

describe('when the holder is killed', () => {
  test('a command in flight rejects with testbed_gone, and the next call builds a new testbed', async () => {
    const testbed = testbedFor()
    await testbed.deploy(pair, 'other-node', note())
    const first = await testbed.facts(note())
    await expect(async () => {
      for await (const item of testbed.exec('client', ['sh', '-c', 'echo running; exec sleep 1000'], note())) {
        if (item.type === 'line') process.kill(holder(), 'SIGKILL')
      }
    }).rejects.toMatchObject({ code: 'testbed_gone' })

    const state = await testbed.read(note())
    expect(state.placement).toBeNull()
    expect(state.kernel.length).toBeGreaterThan(0)
    expect((await testbed.facts(note())).incarnation).not.toBe(first.incarnation)
  })

  test('between two calls, the next one builds a new testbed', async () => {
    const testbed = testbedFor()
    await testbed.set(bigTcp({ ipv4: true, limit: bytes.parse(131_072), mtu: bytes.parse(9000) }), note())
    const first = await testbed.facts(note())
    process.kill(holder(), 'SIGKILL')
    expect(await testbed.read(note())).toMatchObject({
      settings: bigTcp({ ipv4: false, ipv6: false, limit: null, mtu: null, cpus: null }),
    })
    expect((await testbed.facts(note())).incarnation).not.toBe(first.incarnation)
  })
})

test('a holder that is stopped goes on when it is needed', async () => {
  const testbed = testbedFor()
  await testbed.set(bigTcp({ ipv4: true }), note())
  const first = await testbed.facts(note())
  process.kill(holder(), 'SIGSTOP')
  await testbed.read(note())
  expect((await testbed.facts(note())).incarnation).toBe(first.incarnation)
})

describe('close', () => {
  test('ends running commands, leaves no process, and refuses later calls', async () => {
    const testbed = testbedFor()
    await testbed.deploy(pair, 'other-node', note())
    const lines = testbed.exec('client', ['sh', '-c', 'echo running; exec sleep 1000'], note())
    const running = lines[Symbol.asyncIterator]()
    await running.next()
    await testbed.close()
    await expect(running.next()).rejects.toMatchObject({ code: 'testbed_gone' })
    expect(descendants(process.pid)).toEqual([])
    await expect(testbed.read(note())).rejects.toMatchObject({ code: 'testbed_gone' })
  })

  test('can be closed before it is built, and twice', async () => {
    const testbed = testbedFor()
    await testbed.close()
    await testbed.close()
    expect(descendants(process.pid)).toEqual([])
  })
})

test('removing the pods ends what runs in them, with testbed_gone', async () => {
  const testbed = testbedFor()
  await testbed.deploy(pair, 'other-node', note())
  const lines = testbed.exec('server', ['sh', '-c', 'echo running; exec sleep 1000'], note())
  const running = lines[Symbol.asyncIterator]()
  await running.next()
  await testbed.remove(note())
  await expect(running.next()).rejects.toMatchObject({ code: 'testbed_gone' })
})

test('a command that does not end in time is stopped with deadline_exceeded', async () => {
  const testbed = testbedFor({}, { execDeadlineMs: 50 })
  const context = note()
  await expect(run(testbed, 'node:node1', ['sleep', '1000'], context)).rejects.toMatchObject({
    code: 'deadline_exceeded',
  })
  expect(context.events.at(-1)).toMatchObject({ type: 'command.ended', exitCode: null })
  expect(descendants(process.pid).map(({ name }) => name)).not.toContain('sleep')
})

test('namespaces that are not made in time: deadline_exceeded, and nothing is left', async () => {
  const testbed = testbedFor({ env: toolsOf({ unshare: 'exec tail -f /dev/null' }), commandDeadlineMs: 50 })
  await expect(testbed.read(note())).rejects.toMatchObject({ code: 'deadline_exceeded' })
  expect(descendants(process.pid)).toEqual([])
})

test('a program that is not installed is reported as tool_missing, with how to install it', async () => {
  const testbed = testbedFor({ env: { PATH: '/nonexistent' } })
  await expect(testbed.read(note())).rejects.toMatchObject({
    code: 'tool_missing',
    remedyCommand: 'npm run tools -- core',
  })
})

test('the kernel is read back: sizes that someone else changed are reported', async () => {
  const testbed = testbedFor()
  await testbed.set(bigTcp({ ipv4: true }), note())
  await run(testbed, 'node:node1', ['ip', 'link', 'set', 'dev', 'eth0', 'gso_ipv4_max_size', '100000'])
  const { kernel } = await testbed.read(note())
  expect(kernel.find(({ where, native }) => native && where === 'node1')?.gsoIpv4MaxSize).toBe(100_000)
})
