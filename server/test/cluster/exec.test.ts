import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCluster } from '../../src/testbeds/kubernetes/api/cluster.ts'
import { execIn } from '../../src/testbeds/kubernetes/exec/exec.ts'
import { type PodRef, podIn } from '../../src/testbeds/kubernetes/workload/pods.ts'
import { createReaper, thisOwner } from '../../src/testbeds/kubernetes/exec/reap.ts'
import { deployWorkload, readWorkload } from '../../src/testbeds/kubernetes/workload/workload.ts'
import { terminalAt } from '../testbeds/typed-shell.ts'
import { createPodTerminals } from '../../src/testbeds/kubernetes/exec/terminals.ts'
import { startApiProxy } from './support/api-proxy.ts'
import { note } from '../contract/contract-kit.ts'
import { clusterConfig, partsOf, ran, realParts } from './support/parts.ts'
import { pair } from '../support/runs/pair.ts'

const namespace = 'expresslane-exec'
const parts = realParts(namespace)
const { cluster, reaper } = parts
const forever = new AbortController().signal
/** Far more than any of these commands takes. */
const deadlineMs = 60_000
/** Ignores SIGTERM, has a child of its own, and says both their ids. */
const stubborn = ['sh', '-c', 'trap "" TERM; sleep 1000 & echo $$ $!; while true; do sleep 0.1; done']

let client: PodRef

async function deployedNow() {
  const workload = await readWorkload(parts, forever)
  if (workload === null) throw new Error('the workload is not there')
  return workload
}

async function deployed(): Promise<PodRef> {
  await deployWorkload(parts, pair, 'other-node', note())
  return podIn(await deployedNow(), 'client')
}

beforeAll(async () => {
  client = await deployed()
})
afterAll(() => cluster.core.deleteNamespace({ name: namespace }))

/** The processes of `pids` that live, read without the reaper. */
async function living(pids: string): Promise<string[]> {
  const script = 'for pid in $1; do kill -0 "$pid" 2>/dev/null && echo "$pid"; done; true'
  const argv = ['sh', '-c', script, 'living', pids]
  return [...(await ran(execIn(cluster, client, argv, { signal: forever, deadlineMs }))).stdout]
}

/** The next line of a command that goes on. */
async function line(output: AsyncGenerator<unknown, void, void>): Promise<string> {
  const { value } = await output.next()
  return (value as { text: string }).text
}

describe('a command in a pod', () => {
  const run = (...argv: string[]) => ran(reaper.exec(client, argv, { signal: forever, deadlineMs }))

  test('both streams come line by line, the exit last', async () => {
    expect(await run('sh', '-c', 'echo one; printf "two\\r\\nthree"; echo oops >&2; exit 7')).toEqual({
      stdout: ['one', 'two', 'three'],
      stderr: ['oops'],
      exit: { type: 'exit', code: 7, signal: null },
    })
  })

  test('characters that frames split are complete', async () => {
    const script = String.raw`printf '\303'; sleep 0.2; printf '\251\n'`
    expect((await run('sh', '-c', script)).stdout).toEqual(['é'])
  })

  test('arguments arrive unchanged', async () => {
    const words = ['a b', '$HOME', '`id`', "it's", '"', '*', '', 'a&b=c+d%20', 'ü']
    expect((await run('printf', '%s\\n', ...words)).stdout).toEqual(words)
  })

  test('the standard input is empty', async () => {
    expect((await run('cat')).exit.code).toBe(0)
  })

  test('a hundred thousand lines are all there, in order', async () => {
    const { stdout } = await run('seq', '1', '100000')
    expect(stdout).toHaveLength(100_000)
    expect(stdout.at(-1)).toBe('100000')
  })

  test('a missing program is named, with its image', async () => {
    await expect(run('no-such-program')).rejects.toMatchObject({
      code: 'tool_missing',
      message: expect.stringContaining('no-such-program'),
      remedy: expect.stringContaining(client.image ?? ''),
    })
  })

  test('a missing pod is reported as gone', async () => {
    const elsewhere = { ...client, pod: 'nowhere', uid: 'none' }
    await expect(ran(execIn(cluster, elsewhere, ['true'], { signal: forever, deadlineMs }))).rejects.toMatchObject({
      code: 'testbed_gone',
    })
  })

  test('past its deadline it is ended, and reported', async () => {
    let pids = ''
    await expect(async () => {
      for await (const item of reaper.exec(client, stubborn, { signal: forever, deadlineMs: 2_000 })) {
        if (item.type === 'line') pids = item.text
      }
    }).rejects.toMatchObject({ code: 'deadline_exceeded' })
    expect(pids).toMatch(/^\d+ \d+$/)
    expect(await living(pids)).toEqual([])
  })
})

describe('a command that is left', () => {
  test('is ended with all its children even if it ignores SIGTERM, and other commands continue', async () => {
    const other = reaper.exec(client, stubborn, { signal: forever, deadlineMs })
    const others = await line(other)
    const left = reaper.exec(client, stubborn, { signal: forever, deadlineMs })
    const pids = await line(left)
    await left.return()
    expect(await living(pids)).toEqual([])
    expect(await living(others)).toEqual(others.split(' '))
    await other.return()
    expect(await living(others)).toEqual([])
  })

  test('is gone when it is aborted while it starts', async () => {
    const abort = new AbortController()
    const starting = ran(reaper.exec(client, ['sleep', '1234'], { signal: abort.signal, deadlineMs }))
    abort.abort(new Error('too early'))
    await expect(starting).rejects.toThrow('too early')
    const script = 'for process in /proc/[0-9]*; do tr "\\0" " " <$process/cmdline; echo; done 2>/dev/null; true'
    const { stdout } = await ran(execIn(cluster, client, ['sh', '-c', script], { signal: forever, deadlineMs }))
    expect(stdout.filter((one) => one.startsWith('sleep 1234'))).toEqual([])
  })
})

describe('a connection that ends', () => {
  test('is reported as dropped, and what still runs in the pod is ended before the next command', async () => {
    const proxy = await startApiProxy(clusterConfig())
    const through = createReaper(createCluster(proxy.config), namespace)
    const output = through.exec(client, stubborn, { signal: forever, deadlineMs })
    const pids = await line(output)
    proxy.cut()
    await expect(output.next()).rejects.toMatchObject({
      code: 'exec_dropped',
      message: expect.stringContaining('ended while sh ran in pod netperf-client'),
    })
    expect(await living(pids)).toEqual(pids.split(' '))
    expect((await ran(through.exec(client, ['true'], { signal: forever, deadlineMs }))).exit.code).toBe(0)
    expect(await living(pids)).toEqual([])
    await proxy.close()
  })

  test('is given up when nothing comes through it, and not while pings are answered', async () => {
    const proxy = await startApiProxy(clusterConfig())
    const pulse = { pingMs: 100, silenceMs: 1_500 }
    const quiet = ['sh', '-c', 'sleep 3; echo late; exec sleep 1000']
    const output = execIn(createCluster(proxy.config), client, quiet, { signal: forever, deadlineMs, pulse })
    expect(await line(output)).toBe('late')
    proxy.hush()
    const dropped = output.next()
    const seen = await Promise.race([dropped.catch((error: unknown) => error), delay(30_000, 'still open')])
    expect(seen).toMatchObject({ code: 'exec_dropped', detail: expect.stringContaining('nothing arrived') })
    await proxy.close()
  })
})

describe('leftovers of other processes in a pod', () => {
  test('is ended before the first command, and what a living Expresslane runs is not', async () => {
    const gone = createReaper(cluster, 'elsewhere', 'another-host.1.abcd')
    const dead = gone.exec(client, stubborn, { signal: forever, deadlineMs })
    const deadPids = await line(dead)
    // Another process of this machine, and one that is there: the one that started this.
    const neighbour = thisOwner().replace(`.${process.pid}.`, `.${process.ppid}.`)
    const alive = createReaper(cluster, 'elsewhere', neighbour).exec(client, stubborn, { signal: forever, deadlineMs })
    const alivePids = await line(alive)
    expect(await living(deadPids)).toEqual(deadPids.split(' '))

    const own = partsOf(cluster, namespace).reaper.exec(client, ['true'], { signal: forever, deadlineMs })
    expect((await ran(own)).exit.code).toBe(0)
    expect(await living(deadPids)).toEqual([])
    expect(await living(alivePids)).toEqual(alivePids.split(' '))
    await alive.return()
    await dead.return()
  })
})

describe('a terminal in a pod', () => {
  const target = async (role: string) => podIn(await deployedNow(), role === 'client' ? 'client' : 'server')
  const terminals = createPodTerminals({ cluster, reaper, places: ['client', 'server'], target })
  const testbed = { terminals }

  test('is a shell in the pod’s container, with a size, and ends with everything in it', async () => {
    const shell = await terminalAt('client', testbed)
    expect(await shell.run('hostname')).toContain(client.pod)
    expect(await shell.run('stty size')).toContain('24 200')
    shell.resize({ rows: 40, columns: 120 })
    expect(await shell.run('stty size')).toContain('40 120')
    expect(await shell.run('netperf -V')).toMatch(/Netperf version/)
    const pids = /^(\d+) (\d+)\s*$/m.exec(await shell.run('(trap "" HUP TERM; sleep 86396) & echo $$ $!'))?.[0] ?? ''
    expect(await living(pids)).toHaveLength(2)
    await shell.end()
    expect(await shell.closed).toMatchObject({ code: null })
    expect(await living(pids)).toEqual([])
  })

  test('that ends by itself says how', async () => {
    const shell = await terminalAt('server', testbed)
    void shell.write(Buffer.from('exit 3\n'))
    expect(await shell.closed).toEqual({ code: 3, signal: null })
  })
})

test('a pod that is deleted while a command runs in it is reported as gone', async () => {
  const output = reaper.exec(client, stubborn, { signal: forever, deadlineMs })
  await line(output)
  await cluster.core.deleteNamespacedPod({ name: client.pod, namespace, gracePeriodSeconds: 0 })
  await expect(output.next()).rejects.toMatchObject({
    code: 'testbed_gone',
    message: expect.stringContaining(client.pod),
  })
})
