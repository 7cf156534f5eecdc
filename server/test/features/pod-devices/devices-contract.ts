/** Each device between pod and node in a real kernel: what lies there, which way packets take, and what stops them. */
import {
  answers,
  isForwardedByStack,
  isRoutedByBpf,
  type PodDevice,
} from '@expresslane/shared/features/pod-devices/devices'
import { PINGS, PROGRAMS, roles } from '@expresslane/shared/features/pod-devices/roles'
import { proof } from '@expresslane/shared/features/pod-devices/proof'
import { DEVICE_BIG_TCP, IP_FORWARDING, POD_DEVICE } from '@expresslane/shared/features/pod-devices/settings'
import { storedValues } from '@expresslane/shared/features/printed'
import { fingerprintOf } from '@expresslane/shared/measure/fingerprint'
import { measurement } from '@expresslane/shared/measure/measurement'
import type { Settings } from '@expresslane/shared/base/settings'
import { bytes, epochMs, type Family } from '@expresslane/shared/base/units'
import { podOf } from '@expresslane/shared/testbed/placement'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { podsOn } from '../../../src/features/pods.ts'
import type { Pods } from '../../../src/features/feature.ts'
import { watchNodes } from '../../../src/features/pod-devices/watch.ts'
import type { Machine } from '../../../src/testbeds/machine/machine.ts'
import { netnsTestbed } from '../../support/netns.ts'
import { devices } from '../../../src/features/pod-devices/topology.ts'
import type { Testbed } from '../../../src/testbeds/testbed.ts'
import { linkShowArgv, parseLinks } from '../../../src/tools/ip-link.ts'
import { countedTcpRrArgv, type TcpRrResult } from '../../../src/tools/netperf/netperf.ts'
import { parsePath, pathArgv } from '../../../src/tools/nodeport/route.ts'
import { netperfAt, note } from '../../contract/contract-kit.ts'

const families = ['ipv4', 'ipv6'] as const
/** netperf knows hundredths of a second. In the counted machine a transaction takes ten times as long. */
const TRANSACTIONS = { here: 30_000, counted: 2_000 } as const

const oneByte = { tool: 'tcp-rr', requestBytes: bytes.parse(1), responseBytes: bytes.parse(1) } as const

/** An arm of the feature. */
function settingsOf(device: PodDevice, forwarding: boolean, big = false): Settings {
  return { [POD_DEVICE]: device, [IP_FORWARDING]: forwarding, [DEVICE_BIG_TCP]: big }
}

interface Deployed {
  readonly testbed: Testbed
  readonly pods: Pods
}

async function deployOn(testbed: Testbed, settings: Settings): Promise<Deployed> {
  await testbed.set(settings, note())
  return { testbed, pods: podsOn(testbed, await testbed.deploy({ roles }, 'other-node', note()), note()) }
}

function testbedOn(machine: Machine | undefined): Testbed {
  return netnsTestbed({ topology: devices, ...(machine === undefined ? {} : { machine }) })
}

async function transactions({ testbed, pods }: Deployed, of: Family, count: number): Promise<TcpRrResult> {
  const address = podOf(pods.placement, 'server')?.addresses[of] ?? ''
  return await netperfAt(testbed, countedTcpRrArgv({ address, ...oneByte }, count))
}

/**
 * @param wanted those that this user and this kernel can have
 * @param machine where; none for this machine
 */
export function devicesContract(wanted: readonly PodDevice[], machine?: Machine): void {
  const count = machine === undefined ? TRANSACTIONS.here : TRANSACTIONS.counted
  const testbed = testbedOn(machine)
  beforeAll(() => testbed.read(note()))
  afterAll(() => testbed.close())

  describe.each(wanted)('%s', (device) => {
    test('is read back, and the counters prove the way of every packet', async () => {
      const deployed = await deployOn(testbed, settingsOf(device, true))
      const { pods } = deployed
      const datapath = await testbed.read(note())
      expect(datapath.carried).toEqual(settingsOf(device, true))
      const fingerprint = fingerprintOf(await testbed.facts(note()), datapath)
      for (const family of families) {
        const read = await watchNodes(pods)
        const startedAt = epochMs.parse(Date.now())
        const { tps, elapsedSeconds } = await transactions(deployed, family, count)
        const watched = await read()
        expect((watched['forwardedPackets'] ?? 0) > 0).toBe(isForwardedByStack(device))
        expect((watched['redirectedPackets'] ?? 0) > 0).toBe(isRoutedByBpf(device))
        expect((watched['trackedPackets'] ?? 0) > 0).toBe(device === 'veth-conntrack')
        const taken = measurement.parse({
          arm: device,
          caseId: null,
          family,
          benchmark: oneByte,
          repeat: 1,
          warmup: false,
          startedAt,
          elapsedSeconds,
          fingerprint,
          values: storedValues({ tps, ...watched }, fingerprint.instructionsPerMicrosecond),
        })
        const settings = settingsOf(device, true)
        const seen = proof({ settings, benchmark: oneByte, family, measurements: [taken], datapath })
        expect(seen.filter(({ ok }) => !ok)).toEqual([])
      }
    })

    // A deploy for both: in the counted machine it takes seconds of a processor.
    test('has BIG TCP; with forwarding off, pods reach each other if the nodes’ IP layer has no part in it', async () => {
      const { pods } = await deployOn(testbed, settingsOf(device, false, true))
      const { carried, hooks } = await testbed.read(note())
      // Without a device the node has no part in the path, but it has a switch all the same.
      expect(carried).toEqual(settingsOf(device, false, true))
      for (const name of device === 'host' ? [] : ['lxc1', 'eth0']) {
        const [link] = parseLinks(await pods.look('client-node', linkShowArgv(name)))
        expect(link).toMatchObject({ gsoMaxSize: 196_608, gsoIpv4MaxSize: 196_608, groMaxSize: 196_608 })
      }
      const answered = Number(answers(device, false))
      expect(hooks.find(({ hook }) => hook === PINGS)?.counts).toEqual({ ipv4: answered, ipv6: answered })
      const programs = hooks.filter(({ hook }) => hook === PROGRAMS)
      expect(programs.map(({ present }) => present)).toEqual([isRoutedByBpf(device), isRoutedByBpf(device)])
    })
  })

  // The kernel has no part in it.
  test.runIf(machine === undefined)('each deploy makes all of it again', async () => {
    const settings = settingsOf('veth', true)
    for (const _ of [1, 2]) {
      await deployOn(testbed, settings)
      expect((await testbed.read(note())).carried).toEqual(settings)
    }
    await testbed.remove(note())
    expect((await testbed.read(note())).kernel).toEqual([])
  })

  test.runIf(wanted.includes('netkit-bpf'))('a netkit pod is refused when it asks for its program', async () => {
    const { pods } = await deployOn(testbed, settingsOf('netkit-bpf', true))
    const fromPod = parsePath((await pods.look('net:client', pathArgv('eth0', 'eth0'))).trim())
    const fromNode = parsePath((await pods.look('net:client-node', pathArgv('lxc1', 'eth0'))).trim())
    expect(fromPod.device).toMatchObject({ kind: 'netkit', programs: null })
    expect(fromNode.device?.programs).toHaveLength(1)
    expect(fromNode.wire?.programs).toHaveLength(1)
  })
}
