import { LEGACY_MAX_SIZE, type DatapathState, type Link } from '@expresslane/shared/testbed/reading'
import { bytes } from '@expresslane/shared/base/units'
import { describe, expect, test } from 'vitest'
import { isTaken } from '../../../../src/testbeds/kubernetes/switch/judge.ts'
import { toPath, toReport } from '../../../../src/testbeds/kubernetes/datapath/path.ts'
import { ADDED_KEYS, UNDO, type Override } from '../../../../src/testbeds/kubernetes/datapath/settings.ts'
import { dataFor, leftUndo, patchFor, tryPatch, undoOf } from '../../../../src/testbeds/kubernetes/switch/data.ts'
import { wantedOf } from '../../../../src/testbeds/kubernetes/switch/switch.ts'
import {
  agentDiffers,
  kernelDiffers as differs,
  reportedBy,
  unshown,
} from '../../../../src/testbeds/kubernetes/datapath/taken.ts'
import { ciliumKeys } from '../../../../src/features/registry.ts'
import { asPrimitives, type KeyValues } from '../../../../src/testbeds/cilium-key.ts'
import type { CiliumStatus } from '../../../../src/tools/cilium-status.ts'
import { IPV4, IPV6, keyed, stored } from '../keys.ts'
import { recordedCluster, recordedSettings } from '../recorded.ts'

const both = keyed({ ipv4: true, ipv6: true })
const neither = keyed({ ipv4: false, ipv6: false })

const kernelDiffers = (node: string, devices: readonly Link[], change: KeyValues) =>
  differs(node, devices, change, ciliumKeys())

/** The word of an agent with such a status. */
function word(status: Partial<CiliumStatus>) {
  const none = {
    setting: { ipv4: null, ipv6: null },
    maxGso: { ipv4: null, ipv6: null },
    acceleration: null,
    mode: null,
  }
  return reportedBy(
    { ...none, version: null, state: 'Ok', troubles: [], devices: null, json: {}, ...status },
    ciliumKeys(),
  )
}

/** The whole recorded cluster's state, without the workload. */
function state(of: 'off' | 'on'): DatapathState {
  const settings = stored(recordedSettings(of))
  const { agents } = recordedCluster(of)
  const { kernel, unread } = toPath({ placement: null, pods: { client: null, server: null }, answers: agents })
  return {
    at: 0 as DatapathState['at'],
    settings: asPrimitives(settings.intended),
    agents: agents.map((answer) => toReport(answer, [], settings)),
    kernel: [...kernel],
    unread: [...unread],
    carried: {},
    hooks: [],
    placement: null,
  }
}

/** A node's eth0 as recorded, changed. */
function eth0(of: 'off' | 'on', changes: Partial<Link> = {}): Link {
  const device = state(of).kernel.find(({ node }) => node === 'kind-worker')
  if (device === undefined) throw new Error('nothing recorded')
  return { ...device, ...changes }
}

const size = (value: number) => bytes.parse(value)

describe('a recorded cluster', () => {
  test.each([
    ['off', neither, both],
    ['on', both, neither],
  ] as const)('with BIG TCP %s has it as it is and not otherwise', (of, present, other) => {
    expect(isTaken(state(of), () => present, ciliumKeys())).toBe(true)
    expect(isTaken(state(of), () => other, ciliumKeys())).toBe(false)
    expect(isTaken(state(of), () => ({ [IPV6]: other[IPV6] ?? '' }), ciliumKeys())).toBe(false)
  })

  test('is not as wanted if an agent could not be read or is missing', () => {
    const on = state('on')
    const agents = (on.agents ?? []).map((one, index) =>
      index === 1 ? { ...one, settings: null, unreadable: 'its agent is not ready' } : one,
    )
    expect(isTaken({ ...on, agents }, () => both, ciliumKeys())).toBe(false)
    expect(isTaken({ ...on, agents: [] }, () => both, ciliumKeys())).toBe(false)
  })

  test('is not as wanted if a device of a node differs', () => {
    const on = state('on')
    const kernel = on.kernel.map((device, index) =>
      index === 2 ? { ...device, groIpv4MaxSize: LEGACY_MAX_SIZE } : device,
    )
    expect(isTaken({ ...on, kernel }, () => both, ciliumKeys())).toBe(false)
    expect(isTaken({ ...on, kernel }, () => keyed({ ipv6: true }), ciliumKeys())).toBe(true)
  })
})

describe('an agent', () => {
  const maxGso = { ipv4: size(196_608), ipv6: LEGACY_MAX_SIZE }

  test('is off if it reports enabled and stays at 64 KiB', () => {
    const said = word({ setting: { ipv4: true, ipv6: true }, maxGso })
    expect(said).toMatchObject(keyed({ ipv4: true, ipv6: false }))
    expect(agentDiffers(said, both)).toEqual([IPV6])
    expect(agentDiffers(said, keyed({ ipv4: true }))).toEqual([])
  })

  test('contradicts nothing if it does not report BIG TCP, so the kernel decides', () => {
    expect(agentDiffers(word({}), both)).toEqual([])
    expect(unshown(word({}), [eth0('on')], both, ciliumKeys())).toBeNull()
    const hidden = unshown(word({}), [eth0('on', { gsoIpv4MaxSize: null })], keyed({ ipv4: true }), ciliumKeys())
    expect(hidden?.key).toBe(IPV4)
    expect(hidden?.required?.error('n').message).toContain('Neither the agent of n nor its kernel reports')
  })
})

describe('XDP acceleration', () => {
  const program = { mode: 'native', program: 'cil_xdp_entry' } as const

  test('is read from the agents and from the devices', () => {
    expect(agentDiffers(word({ acceleration: 'Native' }), keyed({ acceleration: 'disabled' }))).toEqual([
      'bpf-lb-acceleration',
    ])
    expect(agentDiffers(word({ acceleration: 'Native' }), keyed({ acceleration: 'native' }))).toEqual([])
    expect(agentDiffers(word({}), keyed({ acceleration: 'native' }))).toEqual([])
    expect(kernelDiffers('n', [eth0('off')], keyed({ acceleration: 'native' }))).toEqual([
      'n/eth0 XDP program of Cilium: expected native, seen none',
    ])
    expect(kernelDiffers('n', [eth0('off', { xdp: program })], keyed({ acceleration: 'disabled' }))).toHaveLength(1)
    expect(kernelDiffers('n', [eth0('off', { xdp: program })], keyed({ acceleration: 'native' }))).toEqual([])
  })

  test('is beside the way of the replies, which the agents alone report', () => {
    expect(agentDiffers(word({ mode: 'DSR' }), keyed({ mode: 'snat' }))).toEqual(['bpf-lb-mode'])
    expect(agentDiffers(word({ mode: 'DSR' }), keyed({ mode: 'dsr' }))).toEqual([])
    expect(agentDiffers(word({ mode: 'Hybrid' }), keyed({ mode: 'dsr' }))).toEqual([])
    expect(kernelDiffers('n', [eth0('off')], keyed({ mode: 'dsr' }))).toEqual([])
    expect(isTaken(state('off'), () => keyed({ mode: 'snat' }), ciliumKeys())).toBe(true)
    expect(isTaken(state('off'), () => keyed({ mode: 'dsr' }), ciliumKeys())).toBe(false)
  })

  test('is disabled on the recorded cluster, as it is', () => {
    expect(isTaken(state('off'), () => keyed({ acceleration: 'disabled' }), ciliumKeys())).toBe(true)
    expect(isTaken(state('off'), () => keyed({ acceleration: 'native' }), ciliumKeys())).toBe(false)
  })
})

describe("a node's kernel", () => {
  test('is reported by device, attribute, expected and observed value', () => {
    expect(kernelDiffers('kind-worker', [eth0('off')], keyed({ ipv4: true }))).toEqual([
      'kind-worker/eth0 gso_ipv4_max_size: expected 196608, seen 65536',
      'kind-worker/eth0 gro_ipv4_max_size: expected 196608, seen 65536',
    ])
    expect(kernelDiffers('kind-worker', [eth0('on')], keyed({ ipv6: false }))).toEqual([
      'kind-worker/eth0 gso_max_size: expected at most 65536, seen 196608',
      'kind-worker/eth0 gro_max_size: expected at most 65536, seen 196608',
    ])
  })

  test('is compared with the smallest maximum of its devices', () => {
    const lower = { gsoMaxSize: size(131_072), groMaxSize: size(131_072) }
    const ice = eth0('on', { ...lower, device: 'ens1', tsoMaxSize: size(131_072) })
    expect(kernelDiffers('n', [ice], keyed({ ipv6: true }))).toEqual([])
    expect(kernelDiffers('n', [ice, eth0('on', lower)], keyed({ ipv6: true }))).toEqual([])
    expect(kernelDiffers('n', [ice, eth0('on')], keyed({ ipv6: true }))).toHaveLength(2)
  })

  test('without a known maximum only has to be above 64 KiB, and attributes that ip does not print are ignored', () => {
    const untold = eth0('on', { tsoMaxSize: null, gsoMaxSize: size(131_072), gsoIpv4MaxSize: null })
    expect(kernelDiffers('n', [untold], both)).toEqual([])
    expect(kernelDiffers('n', [{ ...untold, gsoMaxSize: LEGACY_MAX_SIZE }], both)).toEqual([
      'n/eth0 gso_max_size: expected more than 65536, seen 65536',
    ])
  })

  test('with less than 64 KiB is off', () => {
    expect(kernelDiffers('n', [eth0('off', { gsoMaxSize: size(32_768) })], neither)).toEqual([])
  })
})

describe('the written values', () => {
  const key4 = 'enable-ipv4-big-tcp'
  const key6 = 'enable-ipv6-big-tcp'
  const noted = (keys: string) => ({ metadata: { annotations: { [ADDED_KEYS]: keys, other: 'x' } } })

  test('are the differing ones, and none if an absent key has the same meaning', () => {
    expect(dataFor(both, stored({ data: { [key4]: 'true' } }))).toEqual({ [key6]: 'true' })
    expect(dataFor(neither, stored({ data: {} }))).toEqual({})
    expect(dataFor(keyed({ ipv4: false }), stored({ data: { [key4]: 'true' } }))).toEqual({ [key4]: 'false' })
  })

  test('remove a key that was added before, by any server, and no other', () => {
    const data = { [key4]: 'true', [key6]: 'true' }
    const on = stored({ data, ...noted(key4) })
    expect(dataFor(neither, on)).toEqual({ [key4]: null, [key6]: 'false' })
    expect(patchFor(dataFor(neither, on), on)).toEqual({
      data: { [key4]: null, [key6]: 'false' },
      metadata: { annotations: { [ADDED_KEYS]: null } },
    })
    expect(dataFor(both, stored({ data: {}, ...noted(key4) }))).toEqual(data)
  })

  test('note the added keys on the ConfigMap, beside those of before, and restore the note with the values', () => {
    const settings = stored({ data: { [key4]: 'true' }, ...noted(key4) })
    const patch = patchFor(dataFor(both, settings), settings)
    expect(patch).toEqual({ data: { [key6]: 'true' }, metadata: { annotations: { [ADDED_KEYS]: `${key4},${key6}` } } })
    expect(undoOf(patch, settings)).toEqual({
      data: { [key6]: null },
      metadata: { annotations: { [ADDED_KEYS]: key4 } },
    })
  })

  test('leave a key alone that somebody else has set or removed since', () => {
    const set = stored({ data: { [key4]: 'false' }, ...noted(key4) })
    expect(patchFor(dataFor(both, set), set).metadata).toEqual({ annotations: { [ADDED_KEYS]: key6 } })
    const theirs = stored({ data: { [key4]: 'false' } })
    const patch = patchFor(dataFor(keyed({ ipv4: true }), theirs), theirs)
    expect(patch).toEqual({ data: { [key4]: 'true' } })
    expect(undoOf(patch, theirs)).toEqual({ data: { [key4]: 'false' } })
    expect(stored({ data: {}, ...noted(key4) }).added.size).toBe(0)
  })

  test('switch XDP acceleration by its own key, which is removed again if it was added', () => {
    const key = 'bpf-lb-acceleration'
    const absent = stored({ data: {} })
    expect(dataFor(keyed({ acceleration: 'disabled' }), absent)).toEqual({})
    const patch = patchFor(dataFor(keyed({ acceleration: 'native' }), absent), absent)
    expect(patch).toEqual({ data: { [key]: 'native' }, metadata: { annotations: { [ADDED_KEYS]: key } } })
    expect(undoOf(patch, absent)).toEqual({ data: { [key]: null }, metadata: { annotations: { [ADDED_KEYS]: null } } })
    const added = stored({ data: { [key]: 'native' }, ...noted(key) })
    expect(dataFor(keyed({ acceleration: 'disabled' }), added)).toEqual({ [key]: null })
    const theirs = stored({ data: { [key]: 'native' } })
    expect(dataFor(keyed({ acceleration: 'disabled', ipv4: false }), theirs)).toEqual({ [key]: 'disabled' })
    expect(stored({ data: { [key]: 'best-effort' } }).intended[key]).toBeNull()
  })

  test('switch the way of the replies by its own key, and restore it as absent', () => {
    const key = 'bpf-lb-mode'
    const absent = stored({ data: {} })
    expect(dataFor(keyed({ mode: 'snat', acceleration: 'disabled' }), absent)).toEqual({})
    const patch = patchFor(dataFor(keyed({ mode: 'dsr' }), absent), absent)
    expect(patch).toEqual({ data: { [key]: 'dsr' }, metadata: { annotations: { [ADDED_KEYS]: key } } })
    expect(undoOf(patch, absent)).toEqual({ data: { [key]: null }, metadata: { annotations: { [ADDED_KEYS]: null } } })
    const added = stored({ data: { [key]: 'dsr' }, ...noted(key) })
    expect(dataFor(keyed({ mode: 'snat' }), added)).toEqual({ [key]: null })
    expect(dataFor(keyed({ mode: 'snat' }), stored({ data: { [key]: 'dsr' } }))).toEqual({ [key]: 'snat' })
  })

  test('apply to a node unless a CiliumNodeConfig overrides them there, of which the last one counts', () => {
    const override = (name: string, ipv4: boolean): Override => ({
      name,
      nodes: ['kind-worker'],
      setting: keyed({ ipv4 }),
      says: '',
    })
    const wanted = wantedOf(both, [override('a', true), override('b', false)])
    expect(wanted('kind-worker')).toEqual(keyed({ ipv4: false, ipv6: true }))
    expect(wanted('kind-worker2')).toEqual(both)
    expect(wantedOf(keyed({ ipv6: true }), [override('b', false)])('kind-worker')).toEqual(keyed({ ipv6: true }))
  })
})

describe('a try of settings', () => {
  const before: KeyValues = { ...recordedSettings('off').data, 'enable-bpf-masquerade': 'true' }
  const map = { metadata: { annotations: { other: 'theirs' } }, data: before }
  const data = { 'enable-bpf-masquerade': 'false', 'enable-host-legacy-routing': 'true', [IPV4]: 'true' }
  const undo = {
    metadata: { annotations: { [UNDO]: null } },
    data: { 'enable-bpf-masquerade': 'true', 'enable-host-legacy-routing': null, [IPV4]: before[IPV4] ?? null },
  }

  test('notes its undo on the ConfigMap in the same patch, verbatim and with the keys that were missing', () => {
    expect(before).not.toHaveProperty('enable-host-legacy-routing')
    const { patch, old } = tryPatch(data, { map })
    expect(patch.data).toEqual(data)
    expect(Object.keys(patch.metadata?.annotations ?? {})).toEqual([UNDO])
    expect(old).toEqual(undo)
  })

  test('is undone by any Expresslane that finds the note', () => {
    const annotations = Object.fromEntries(
      Object.entries(tryPatch(data, { map }).patch.metadata?.annotations ?? {}).map(([key, of]) => [key, of ?? '']),
    )
    expect(leftUndo({ map: { metadata: { annotations }, data: { ...before, ...data } } })).toEqual(undo)
    expect(leftUndo({ map })).toBeNull()
  })

  test.each(['', 'true', '{"enable-bbr":1}'])('is not undone by a note that nobody wrote: %j', (note) => {
    expect(() => leftUndo({ map: { metadata: { annotations: { [UNDO]: note } } } })).toThrow(
      'The annotation expresslane/undo of cilium-config could not be read.',
    )
  })
})
