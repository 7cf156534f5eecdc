/** The settings that a testbed's primitives allow, and the reasons for the settings that it can't take. */
import { describe, expect, it } from 'vitest'
import { withFeatures } from '../../src/features/with-features.ts'
import { ciliumKeys } from '../../src/features/registry.ts'
import { primitives } from '../../src/testbeds/kubernetes/primitives.ts'
import { note } from '../contract/contract-kit.ts'
import { createFakeTestbed } from '../support/fakes/fake-testbed.ts'
import { netnsTestbed } from '../support/netns.ts'

const settable = ciliumKeys().map(({ key }) => `cilium-config/${key}`)
const cluster = { ...createFakeTestbed(), primitives: { ...primitives, 'outside-client': null }, settable }
const pair = ['packets-ipv4', 'packets-ipv6', 'packet-limit', 'mtu', 'cpus']
const ofPair = 'big-tcp-ipv4, big-tcp-ipv6, size-limit, pod-mtu, cpu-placement'

describe.each([
  ['netns', netnsTestbed(), ofPair],
  ['kubernetes', withFeatures(cluster), 'big-tcp-ipv4, big-tcp-ipv6, lb-acceleration, lb-mode'],
])('the %s testbed', (_, testbed, known) => {
  it.each([true, false, null])('refuses a setting that it does not know, also one that is %s', async (value) => {
    const set = testbed.set({ 'big-tcp-ipv4': true, 'of-another-feature': value }, note())
    await expect(set).rejects.toMatchObject({
      code: 'bad_request',
      message: 'This testbed has no setting “of-another-feature”.',
      remedy: `Leave it out. The testbed's settings are ${known}.`,
    })
  })
})

it('a setting that a cluster lacks is off there, and can only be off', async () => {
  const testbed = withFeatures(cluster)
  const off = { 'big-tcp-ipv4': true, 'big-tcp-ipv6': false, 'size-limit': null, 'pod-mtu': null, kernel: null }
  expect(await testbed.set(off, note())).toMatchObject({ settings: { 'size-limit': null, 'pod-mtu': null } })
  await expect(testbed.set({ 'size-limit': 131_072 }, note())).rejects.toThrow(/Cilium sets one size/)
  await expect(testbed.set({ 'cpu-placement': 'one-cpu' }, note())).rejects.toThrow(/the nodes’ schedulers choose/)
  await expect(testbed.set({ 'pod-mtu': 9_000 }, note())).rejects.toThrow(/Cilium takes the pods' MTU/)
  await expect(testbed.set({ kernel: '6.1' }, note())).rejects.toThrow(/boot the kernels that they have/)
})

it('a testbed gets the values of its primitives, and they are read back as settings', async () => {
  const asked: unknown[] = []
  const has = { 'packets-ipv4': null, 'packets-ipv6': null, 'packet-limit': null, mtu: null, cpus: null }
  let values: Record<string, unknown> = has
  const fake = createFakeTestbed()
  const state = async () => ({ ...(await fake.read(note())), settings: values as typeof has })
  const testbed = withFeatures({
    ...fake,
    settable: pair,
    read: state,
    set(change) {
      asked.push(change)
      values = { ...values, ...change }
      return state()
    },
  })
  const wanted = { 'big-tcp-ipv4': true, 'big-tcp-ipv6': false, 'size-limit': 131_072, 'pod-mtu': 9_000 }
  const { settings } = await testbed.set({ ...wanted, 'cpu-placement': 'one-cpu' }, note())
  expect(asked).toEqual([
    { 'packets-ipv4': 196_608, 'packets-ipv6': null, 'packet-limit': 131_072, mtu: 9_000, cpus: 'one-cpu' },
  ])
  expect(settings).toEqual({ ...wanted, 'cpu-placement': 'one-cpu' })
  values = { ...values, 'packets-ipv6': 70_000 }
  // Somebody else's value is none of the setting's.
  expect((await testbed.read(note())).settings).not.toHaveProperty('big-tcp-ipv6')
})

it('a failed check blocks what needs the primitive that it is about', async () => {
  const fake = createFakeTestbed()
  const check = { id: 'nft', title: 'nft', seen: '', problem: null, remedy: 'r', remedyCommand: null }
  fake.checks = [{ ...check, status: 'failed', blocks: ['nftables', 'big-tcp-ipv4'] }]
  let blocks: unknown = null
  for await (const one of withFeatures(fake).preflight(note())) blocks = one.blocks
  expect(blocks).toEqual([
    'big-tcp-ipv4',
    'nodeport-nftables',
    'nodeport-iptables',
    'pod-device-conntrack',
    'load-balancing',
    'cluster-ip',
    'cluster-ip-socket',
    'cluster-ip-tc',
    'cluster-ip-iptables',
  ])
})
