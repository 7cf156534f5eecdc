/** The testbed of network namespaces in the counted machine. */
import { bytes } from '@expresslane/shared/base/units'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bigTcpContract } from '../../contract/contract-big-tcp.ts'
import { note, run } from '../../contract/contract-kit.ts'
import { testbedContract } from '../../contract/testbed-contract.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { countedTcpRrArgv, createTcpRrReader, type TcpRrResult } from '../../../src/tools/netperf/netperf.ts'
import { pair, pairOf } from '../../support/runs/pair.ts'
import type { Vm } from '../../../src/testbeds/counted/vm.ts'
import { lacksMachine, machineHere, standsStill } from './here.ts'

/** A boot takes seconds, on a busy host many of them. */
const BOOT_MS = 120_000
const TRANSACTIONS = 1_000
const oneByte = { requestBytes: bytes.parse(1), responseBytes: bytes.parse(1) }

describe.skipIf(lacksMachine !== null)('network namespaces in the counted machine', () => {
  const user = `as user ${process.getuid?.()}`
  const vms: Vm[] = []
  const testbed = netnsTestbed({ machine: machineHere({ booted: (vm) => void vms.push(vm) }) })
  afterAll(() => testbed.close())
  // A boot takes more of a processor than a contract: all share the machine, and each contract leaves no settings behind.
  const shared = () => ({ ...testbed, close: () => Promise.resolve() })
  testbedContract(`counted, ${user}`, shared)
  bigTcpContract(`counted, ${user}`, shared)

  describe('two pods', () => {
    beforeAll(() => testbed.deploy(pair, 'other-node', note()), BOOT_MS)

    async function transactions(address: string): Promise<TcpRrResult> {
      const reader = createTcpRrReader()
      const { stdout, ended } = await run(testbed, 'client', countedTcpRrArgv({ address, ...oneByte }, TRANSACTIONS))
      for (const line of stdout) reader.read(line)
      return reader.finish(ended)
    }

    test('a thousand transactions take the same of its time again, whatever else the host does', async () => {
      const { server } = pairOf((await testbed.read(note())).placement)
      for (const address of [server.addresses.ipv4, server.addresses.ipv6]) {
        // The first one meets what is not cached yet.
        await transactions(address ?? '')
        const [one, two] = [await transactions(address ?? ''), await transactions(address ?? '')]
        expect(one.tps * one.elapsedSeconds).toBeGreaterThan(TRANSACTIONS * 0.9)
        expect(Math.abs(one.tps / two.tps - 1)).toBeLessThan(0.02)
      }
    })

    test('the machine stands still while only netserver runs', async () => {
      await standsStill(vms.at(-1)?.pid ?? 0)
    })

    test('a node shows their packets, although tcpdump gives up root', async () => {
      const { server } = pairOf((await testbed.read(note())).placement)
      let other: Promise<unknown> = Promise.resolve()
      const seen: string[] = []
      for await (const item of testbed.exec(
        'capture:node1',
        ['tcpdump', '-n', '-c', '2', '-i', 'eth0', 'tcp'],
        note(),
      )) {
        if (item.type === 'exit') expect({ ...item, seen }).toMatchObject({ code: 0 })
        else if (item.stream === 'stdout') seen.push(item.text)
        // tcpdump prints this once it captures.
        else if (item.text.startsWith('listening')) other = transactions(server.addresses.ipv4 ?? '')
      }
      await other
      expect(seen).toHaveLength(2)
    })

    test('the pods have the machine’s kernel, and none of the host’s limits', async () => {
      const { name, kernel, cpu, os, load, versions } = await testbed.facts(note())
      expect({ name, cpus: cpu.count, load }).toEqual({ name: 'the counted machine', cpus: 1, load: null })
      expect(os).toMatch(/^a file system of Expresslane, with programs of /)
      expect(versions['kernel package']).toMatch(/^\d+\..*, sha256:[0-9a-f]{16}$/)
      expect(versions['QEMU']).toMatch(/^\d+\.\d+/)
      // Results of another processor show a difference.
      expect(versions['processor']).toBe('max,erms=off,fsrm=off')
      const [flags] = (await run(testbed, 'client', ['grep', '-m1', '^flags', '/proc/cpuinfo'])).stdout
      expect(flags?.split(' ').filter((flag) => ['erms', 'fsrm', 'sse2'].includes(flag))).toEqual(['sse2'])
      expect((await run(testbed, 'client', ['uname', '-r'])).stdout).toEqual([kernel])
      expect(testbed.primitives.bpf).toBeNull()
    })

    // A kernel says nothing about a parameter that it does not know.
    test('their connections never end slow start by the clock, which is slow', async () => {
      const hystart = await run(testbed, 'client', ['cat', '/sys/module/tcp_cubic/parameters/hystart'])
      expect(hystart.stdout).toEqual(['0'])
    })

    test('removed, they leave no device', async () => {
      await testbed.remove(note())
      const { placement, kernel } = await testbed.read(note())
      expect(placement).toBeNull()
      expect(kernel.some(({ role }) => role === 'pod')).toBe(false)
    })
  })
})
