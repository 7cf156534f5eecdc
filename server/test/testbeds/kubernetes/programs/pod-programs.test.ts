/** The programs' way into a pod, to an API server of a test's own that answers for the pod's shell. */
import { createServer } from 'node:http'
import { createHash } from 'node:crypto'
import { machine as processor } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import type { Cluster } from '../../../../src/testbeds/kubernetes/api/cluster.ts'
import { createConsole } from '../../../../src/testbeds/kubernetes/exec/console.ts'
import { createReaper } from '../../../../src/testbeds/kubernetes/exec/reap.ts'
import { createPodPrograms, type PodPrograms } from '../../../../src/testbeds/kubernetes/programs/pod-programs.ts'
import { processesHere } from '../../../../src/testbeds/machine/process.ts'
import { note } from '../../../contract/contract-kit.ts'
import { clusterAt, listen } from '../fake-api.ts'

interface Pod {
  readonly digest?: string
  readonly processor?: string
  /** Whether the archive changes on its way. */
  readonly isBroken?: boolean
}

/** A pod, and what arrived in it. */
async function podThat({ digest = '', processor: kind = processor(), isBroken = false }: Pod) {
  const arrived: string[] = []
  const commands: string[] = []
  const server = createServer()
  const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'v5.channel.k8s.io' })
  server.on('upgrade', (request, socket, head) => {
    onTestFinished(() => void socket.destroy())
    sockets.handleUpgrade(request, socket, head, (command) => {
      const end = (status: object): void => command.send(Buffer.from(`\u0003${JSON.stringify(status)}`))
      const [, script = '', , ...args] = new URL(request.url ?? '', 'http://pod').searchParams
        .getAll('command')
        .slice(1)
      commands.push(script)
      if (args.length === 0) {
        command.send(Buffer.from(`\u0001${kind}\n${digest}\n`))
        return end({ status: 'Success' })
      }
      const [size = '', expected] = args
      const parts: Buffer[] = []
      command.on('message', (data: Buffer) => {
        parts.push(data.subarray(1))
        const all = Buffer.concat(parts)
        if (all.length < Number(size)) return
        const sha256 = createHash('sha256')
          .update(isBroken ? 'other' : all)
          .digest('hex')
        arrived.push(sha256)
        const causes = [{ reason: 'ExitCode', message: '1' }]
        end(sha256 === expected ? { status: 'Success' } : { status: 'Failure', details: { causes } })
      })
    })
  })
  const cluster = clusterAt(`http://127.0.0.1:${await listen(server)}`)
  onTestFinished(() => cluster.close(new Error('the test has ended')))
  return { cluster, arrived, commands }
}

function programsFor(cluster: Cluster): PodPrograms {
  const console = createConsole(cluster, createReaper(cluster, 'some'))
  const here = processesHere({ env: { PATH: '/usr/bin' }, user: null })
  return createPodPrograms(cluster, console, { ...here, toolPath: '/some/bin', findProgram: async () => '/bin/sh' })
}

const at = { namespace: 'some', pod: 'netperf-client', container: 'netperf', uid: 'one' }

test('they go into a pod once, in a command that a person can read', async () => {
  const { cluster, arrived, commands } = await podThat({})
  const programs = programsFor(cluster)
  const context = note()
  await Promise.all([programs.ensure(at, context), programs.ensure(at, context)])
  await programs.ensure(at, context)
  expect(arrived).toEqual([(await programs.packed()).sha256])
  expect(commands).toHaveLength(2)
  expect(context.events.flatMap((event) => (event.type === 'command.started' ? [event.typed] : []))).toEqual([
    'kubectl -n some exec -i netperf-client -c netperf -- tar -xzC /tools < programs.tar.gz',
  ])
})

test('another server puts nothing into a pod that has the same programs', async () => {
  const { sha256 } = await programsFor((await podThat({})).cluster).packed()
  const { cluster, arrived } = await podThat({ digest: sha256 })
  await programsFor(cluster).ensure(at, note())
  expect(arrived).toEqual([])
})

test('a node with another processor is named, with the way out', async () => {
  const { cluster, arrived } = await podThat({ processor: 'riscv64' })
  await expect(programsFor(cluster).ensure(at, note())).rejects.toMatchObject({
    code: 'workload_not_ready',
    message: expect.stringContaining('riscv64'),
    remedy: expect.stringContaining('EXPRESSLANE_NETPERF_IMAGE'),
  })
  expect(arrived).toEqual([])
})

test('programs that arrive with another digest are an error, and are sent again', async () => {
  const { cluster, arrived } = await podThat({ isBroken: true })
  const programs = programsFor(cluster)
  await expect(programs.ensure(at, note())).rejects.toMatchObject({ code: 'tool_failed' })
  await expect(programs.ensure(at, note())).rejects.toMatchObject({ code: 'tool_failed' })
  expect(arrived).toHaveLength(2)
})
