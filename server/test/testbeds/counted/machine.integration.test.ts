import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Vm } from '../../../src/testbeds/counted/vm.ts'
import { parsePreflight } from '../../tools/nodeport/diagnosis.ts'
import { parseGeneratorLine } from '../../../src/tools/nodeport/lines.ts'
import { hostNetwork, isRunning, until } from '../netns/host.ts'
import { lacksMachine, machineHere, runOn, standsStill, type Ended } from './here.ts'

const helper = fileURLToPath(new URL('../../../native/bin/nodeport-x64', import.meta.url))

// A boot takes 5 s of CPU time, which can be a minute where much else runs.
describe.skipIf(lacksMachine !== null)('the counted machine', () => {
  const vms: Vm[] = []
  const machine = machineHere({ booted: (vm) => void vms.push(vm) })
  afterAll(() => machine.close())
  const vm = (): Vm => {
    const last = vms.at(-1)
    if (last === undefined) throw new Error('nothing is booted')
    return last
  }

  test('boots with its first use, by its own kernel', async () => {
    expect(vms).toHaveLength(0)
    const { stdout, code } = await runOn(machine, ['uname', '-r'])
    expect({ stdout, code, boots: vms.length }).toEqual({ stdout: [vm().prepared.release], code: 0, boots: 1 })
    // Instructions, so no measure of this machine's load.
    const instructions = (Number(vm().bootNs) / 1000) * (machine.instructionsPerMicrosecond ?? 0)
    expect(instructions / 1e9).toBeLessThan(2.5)
  })

  test('QEMU runs as an ordinary user, in its sandbox', () => {
    const status = readFileSync(`/proc/${vm().pid}/status`, 'latin1')
    expect(/^Uid:\t(\d+)\t(\d+)/m.exec(status)?.slice(1)).not.toContain('0')
    // A filter (2) of system calls, and no rights to gain.
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    expect(status).toMatch(/^Seccomp:\t2$/m)
  })

  test('a process ends, also while QEMU is stopped', async () => {
    const running = Promise.withResolvers<void>()
    const argv = ['sh', '-c', 'echo running; exec sleep 1000']
    const child = await machine.start({ argv, onLine: () => running.resolve() })
    await running.promise
    process.kill(Number(vm().pid), 'SIGSTOP')
    await child.end()
    expect(await child.closed).toMatchObject({ signal: 'SIGTERM' })
  })

  test('output, exit code and signal', async () => {
    expect(await runOn(machine, ['sh', '-c', 'echo out; echo words >&2; printf last; exit 7'])).toEqual({
      stdout: ['out', 'last'],
      stderr: ['words'],
      code: 7,
      signal: null,
    })
    expect(await runOn(machine, ['sh', '-c', 'kill -9 $$'])).toMatchObject({ code: null, signal: 'SIGKILL' })
    expect(await runOn(machine, ['sh', '-c', 'pwd; echo $PATH; id -u'])).toMatchObject({
      stdout: ['/', '/usr/bin', '0'],
    })
  })

  test('a program that does not exist can’t be started', async () => {
    await expect(runOn(machine, ['no-such-program'])).rejects.toMatchObject({ code: 'tool_failed', detail: 'ENOENT' })
  })

  test('input: none, a little, and megabytes that come back', async () => {
    expect(await runOn(machine, ['cat'])).toMatchObject({ stdout: [], code: 0 })
    expect(await runOn(machine, ['cat'], { input: 'a\nb' })).toMatchObject({ stdout: ['a', 'b'] })
    const lines = Array.from({ length: 300_000 }, (_, index) => `line ${index}`)
    expect((await runOn(machine, ['cat'], { input: lines.join('\n') })).stdout).toEqual(lines)
  })

  test('a process that reads nothing does not hold its input up', async () => {
    const big = 'x\n'.repeat(500_000)
    expect(await runOn(machine, ['sh', '-c', 'exec <&-; echo closed'], { input: big })).toMatchObject({
      stdout: ['closed'],
    })
    expect(await runOn(machine, ['true'], { input: big })).toMatchObject({ code: 0 })
  })

  test('a million lines arrive, in order, and hold up no other process', async () => {
    let next = 1
    let wrong = 0
    const many = await machine.start({
      argv: ['seq', '1000000'],
      onLine(_, text) {
        if (text !== String(next)) wrong++
        next++
      },
    })
    const begun = await runOn(machine, ['echo', 'meanwhile'])
    expect(begun).toMatchObject({ stdout: ['meanwhile'] })
    expect(await many.closed).toEqual({ code: 0, signal: null })
    expect({ next, wrong }).toEqual({ next: 1_000_001, wrong: 0 })
  })

  test('end: with SIGTERM, with SIGKILL for what ignores it, and with everything that it started', async () => {
    const ready = Promise.withResolvers<void>()
    const polite = await machine.start({
      argv: ['bash', '-c', 'trap "echo bye; exit 3" TERM; echo ready; while :; do sleep 0.1; done'],
      onLine: (_, text) => {
        if (text === 'ready') ready.resolve()
      },
    })
    await ready.promise
    await polite.end()
    expect(await polite.closed).toEqual({ code: 3, signal: null })

    const trapped = Promise.withResolvers<void>()
    const deaf = await machine.start({
      argv: ['bash', '-c', 'trap "" TERM; sleep 1000 >/dev/null 2>&1 & echo ready; sleep 1001'],
      onLine: () => trapped.resolve(),
    })
    await trapped.promise
    await deaf.end()
    expect(await deaf.closed).toEqual({ code: null, signal: 'SIGKILL' })
    expect(await runOn(machine, ['pgrep', 'sleep'])).toMatchObject({ code: 1, stdout: [] })
  })

  test('signals reach the process group, not the machine', async () => {
    // Between the tests it is stopped.
    const release = vm().busy()
    const child = await vm().start({
      argv: ['sleep', '1000'],
      env: { PATH: '/usr/bin' },
      input: false,
      namespace: null,
      onOutput: () => {},
    })
    expect(await child.started).toBe(true)
    child.signal('SIGINT')
    expect(await child.closed).toEqual({ type: 'exited', code: null, signal: 'SIGINT' })
    release()
  })

  test('more processes than channels', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, (_, index) => runOn(machine, ['echo', String(index)])))
    expect(all.map(({ stdout }) => stdout[0])).toEqual(all.map((_, index) => String(index)))
  })

  test('files and programs', async () => {
    expect(await machine.readText('/proc/sys/kernel/pid_max')).toBe('4194304\n')
    expect(await machine.readText('/proc')).toBeNull()
    expect(await machine.readText('/no/such/file')).toBeNull()
    expect(await machine.findProgram('ip')).toBe('/usr/bin/ip')
    expect(await machine.findProgram('no-such-program')).toBeNull()
    expect(await machine.findProgram(helper)).toBe(helper)
    const { stdout } = await runOn(machine, [helper, 'preflight'])
    expect(Object.values(parsePreflight(stdout[0] ?? '').checks)).not.toContainEqual(
      expect.objectContaining({ ok: false }),
    )
  })

  test('namespaces, and devices whose modules are loaded when they are needed', async () => {
    const before = hostNetwork()
    const holder = await machine.hold(AbortSignal.timeout(60_000))
    await runOn(machine, holder.enter(['ip', 'netns', 'add', 'pod']))
    const kinds = ['veth', 'netkit', 'dummy']
    for (const kind of kinds) {
      const added = await runOn(machine, ['ip', 'link', 'add', `${kind}-one`, 'type', kind], { namespace: 'pod' })
      expect(added, kind).toMatchObject({ code: 0 })
    }
    for (const module of ['ip_vs', 'pktgen']) {
      expect(await runOn(machine, ['modprobe', module]), module).toMatchObject({ code: 0 })
    }
    const rules = 'table inet t { chain c { type nat hook postrouting priority 0; masquerade; }; }\n'
    expect(await runOn(machine, holder.enter(['nft', '-f', '-']), { input: rules })).toMatchObject({
      code: 0,
      stderr: [],
    })
    await holder.check(AbortSignal.timeout(60_000))
    expect(hostNetwork()).toEqual(before)
  })

  test('a process in a network namespace has its devices and settings, and one that is not there starts none', async () => {
    const holder = await machine.hold(AbortSignal.timeout(60_000))
    const { namespace, enter } = holder.inside('apart')
    expect({ namespace, argv: enter(['ls']) }).toEqual({ namespace: 'apart', argv: ['ls'] })
    const inside = (argv: string[], input?: string): Promise<Ended> =>
      runOn(machine, argv, { namespace: 'apart', ...(input === undefined ? {} : { input }) })
    await expect(inside(['ip', 'link'])).rejects.toMatchObject({ code: 'tool_failed', detail: 'ENOENT' })
    await runOn(machine, ['ip', 'netns', 'add', 'apart'])
    expect((await inside(['ip', '-o', 'link'])).stdout).toEqual([expect.stringMatching(/^1: lo:/)])
    const ttl = '/proc/sys/net/ipv4/ip_default_ttl'
    expect(await inside(['tee', ttl], '77\n')).toMatchObject({ code: 0 })
    expect((await inside(['cat', ttl])).stdout).toEqual(['77'])
    expect(await machine.readText(ttl)).toBe('64\n')
    // An ordinary file in `/run/netns` is no network namespace.
    await runOn(machine, ['tee', '/run/netns/file'])
    await expect(runOn(machine, ['true'], { namespace: 'file' })).rejects.toMatchObject({ detail: 'EINVAL' })
    await runOn(machine, ['rm', '/run/netns/file'])
    await runOn(machine, ['ip', 'netns', 'del', 'apart'])
  })

  test('a generator’s CPU time has nothing of what got it ready', async () => {
    const holder = await machine.hold(AbortSignal.timeout(60_000))
    const run = (...argv: string[]) => runOn(machine, holder.enter(argv))
    for (const argv of [
      'ip netns add sender',
      'ip netns add receiver',
      'ip link add s0 netns sender address 02:00:00:00:00:01 type veth peer name s1 netns receiver address 02:00:00:00:00:02',
      'ip -n sender address add 10.0.0.1/24 dev s0',
      'ip -n sender link set s0 up',
      'ip -n receiver link set s1 up',
      'ip -n sender neighbour add 10.0.0.2 lladdr 02:00:00:00:00:02 dev s0',
      `ip netns exec receiver ${helper} device --device s1 --gro on`,
    ]) {
      expect(await run(...argv.split(' ')), argv).toMatchObject({ code: 0 })
    }
    const generate = 'generate --method xdp --device s0 --to 10.0.0.2 --port 9 --rate max --seconds 0.5'
    const { stdout } = await run('ip', 'netns', 'exec', 'sender', helper, ...generate.split(' '))
    const end = parseGeneratorLine(stdout.at(-1) ?? '')
    if (end.type !== 'end') throw new Error(stdout.join('\n'))
    // The machine's clock counts instructions, and loading the program takes more than half a second of them.
    expect(end.cpuNs).toBeLessThan(end.atNs * 1.02)
    expect(end.cpuNs).toBeGreaterThan(end.atNs * 0.8)
  })

  test('stands still while nobody waits, and goes on', async () => {
    await runOn(machine, ['true'])
    const background = await machine.start({ argv: ['sleep', '100000'], ready: Promise.resolve(), onLine: () => {} })
    await standsStill(Number(vm().pid))
    expect(await runOn(machine, ['echo', 'on'])).toMatchObject({ stdout: ['on'] })
    await background.end()
    expect(await background.closed).toEqual({ code: null, signal: 'SIGTERM' })
  })

  test('when QEMU is killed, what runs ends, its holder is gone, and the next use boots another one', async () => {
    const holder = await machine.hold(AbortSignal.timeout(60_000))
    const child = await machine.start({ argv: ['sleep', '1000'], onLine: () => {} })
    const boots = vms.length
    process.kill(Number(vm().pid), 'SIGKILL')
    expect(await child.closed).toEqual({ code: null, signal: 'SIGKILL' })
    await expect(holder.check(AbortSignal.timeout(60_000))).rejects.toMatchObject({ code: 'testbed_gone' })
    expect(holder.gone.aborted).toBe(true)
    const second = machineHere()
    onTestFinished(() => second.close())
    // Two at once, each with a kernel of its own.
    const [mine, other] = await Promise.all([runOn(machine, ['echo', 'one']), runOn(second, ['echo', 'two'])])
    expect([mine.stdout, other.stdout, vms.length]).toEqual([['one'], ['two'], boots + 1])
    await runOn(machine, ['ip', 'netns', 'add', 'only-here'])
    expect(await runOn(second, ['ip', 'netns', 'list'])).toMatchObject({ stdout: [] })
  })

  test('after close no QEMU is left', async () => {
    const { pid } = vm()
    await machine.close()
    expect(isRunning(Number(pid))).toBe(false)
  })

  test('when the server is killed, QEMU ends', async ({ signal }) => {
    const script = fileURLToPath(new URL('stand-ins/server.ts', import.meta.url))
    const server = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void server.kill('SIGKILL'))
    const [line] = await once(server.stdout, 'data')
    const pid = Number(String(line))
    expect(isRunning(pid)).toBe(true)
    server.kill('SIGKILL')
    await once(server, 'exit')
    await until(() => !isRunning(pid), signal)
  })

  test('a boot that takes too long is ended', async () => {
    const slow = machineHere({ bootMs: 1 })
    await expect(runOn(slow, ['true'])).rejects.toMatchObject({ code: 'deadline_exceeded' })
    await slow.close()
  })
})
