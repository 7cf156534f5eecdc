/**
 * A setting of Cilium that no product file knows: the setting and its capability in the feature's half of `shared`, the key in that
 * of the server. It is set as a primitive, read back, stored, and explained where there is no Cilium.
 */
import { abouts } from '@expresslane/shared/features/abouts'
import { capabilityName, whyLacking } from '@expresslane/shared/features/capabilities'
import type { Feature } from '@expresslane/shared/features/feature'
import { features } from '@expresslane/shared/features/registry'
import { reportPieces } from '@expresslane/shared/report/file'
import { walk } from '@expresslane/shared/test/report/samples'
import { everyPrimitive } from '@expresslane/shared/testbed/primitive'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ciliumKeys, serverFeatures } from '../../../src/features/registry.ts'
import { withFeatures } from '../../../src/features/with-features.ts'
import { asPrimitives, keyValues, type CiliumKey } from '../../../src/testbeds/cilium-key.ts'
import { toSettings } from '../../../src/testbeds/kubernetes/datapath/settings.ts'
import { describeChange } from '../../../src/testbeds/kubernetes/datapath/taken.ts'
import { dataFor } from '../../../src/testbeds/kubernetes/switch/data.ts'
import { note } from '../../contract/contract-kit.ts'
import { createFakeTestbed } from '../../support/fakes/fake-testbed.ts'
import { recordedSettings } from '../../testbeds/kubernetes/recorded.ts'

const KEY = 'bpf-clock-probe'
const SETTING = 'clock-probe'

/** `about.ts` of the feature. */
const about = {
  id: 'bpf-clock',
  name: 'BPF’s clock',
  capabilities: [{ id: SETTING, name: 'switching the probe of the clock', needs: ['cilium-config'] }],
  without: { 'cilium-config': 'It switches a setting of Cilium: choose a cluster.' },
} as const

/** `settings.ts` of the feature. */
const setting: Feature['settings'][number] = {
  id: SETTING,
  label: 'Probe of the clock',
  schema: z.enum(['false', 'true']),
  off: 'false',
  capability: SETTING,
  ways: [{ primitive: `cilium-config/${KEY}` }],
  format: (value) => (value === 'true' ? 'on' : 'off'),
  control: { kind: 'choice', options: [['false', 'off']] },
}

/** `cilium-keys.ts` of the feature. */
const key: CiliumKey = {
  key: KEY,
  values: ['false', 'true'],
  words: (value) => `probe of the clock ${value}`,
  reported: ({ json }) => z.object({ clock: z.string() }).safeParse(json['clock-source']).data?.clock ?? null,
  differs: () => [],
  isCompiled: true,
}

const feature: Feature = {
  ...about,
  settings: [setting],
  roles: ['client', 'server'],
  metrics: [],
  benchmarks: [],
  proof: () => [],
  nameArm: () => ({ id: 'clock', label: 'Clock' }),
  phrase: () => 'with a clock',
}
const onServer = {
  id: about.id,
  observe: () => [],
  observeCapture: null,
  ciliumKeys: [key],
  podSettings: [],
  sentences: null,
}
for (const unregister of [features.register(feature), abouts.register(about), serverFeatures.register(onServer)]) {
  afterAll(unregister)
}

test('a cluster sets it as a value of its ConfigMap, and reads it back', async () => {
  const asked: unknown[] = []
  const fake = createFakeTestbed()
  const { data: before = {} } = recordedSettings('off')
  let data: Readonly<Record<string, string>> = before
  const stored = () => toSettings({ data: { ...data } }, ciliumKeys())
  const state = async () => ({
    ...(await fake.read(note())),
    settings: asPrimitives(stored().intended),
  })
  const testbed = withFeatures({
    ...fake,
    settable: ciliumKeys().map((one) => `cilium-config/${one.key}`),
    read: state,
    set(change) {
      asked.push(change)
      const written = Object.entries(dataFor(keyValues(change), stored()))
      data = { ...data, ...Object.fromEntries(written.map(([name, value]) => [name, value ?? ''])) }
      return state()
    },
  })
  expect((await testbed.read(note())).settings).toMatchObject({ [SETTING]: 'false' })
  expect((await testbed.set({ [SETTING]: 'true' }, note())).settings).toMatchObject({ [SETTING]: 'true' })
  expect(asked).toEqual([{ [`cilium-config/${KEY}`]: 'true' }])
  expect(data).toMatchObject({ [KEY]: 'true' })
  expect(describeChange({ [KEY]: 'true' }, ciliumKeys())).toBe('probe of the clock true')
})

test('elsewhere it is refused, in the words of the feature', async () => {
  expect(capabilityName(SETTING)).toBe('switching the probe of the clock')
  const lacking = 'There is no Cilium here.'
  const primitives = { ...everyPrimitive, cilium: lacking, 'cilium-config': lacking }
  expect(whyLacking(SETTING, primitives)).toBe(about.without['cilium-config'])
  const testbed = withFeatures({ ...createFakeTestbed(), primitives })
  await expect(testbed.set({ [SETTING]: 'true' }, note())).rejects.toThrow(about.without['cilium-config'])
})

test('the setting has a column in the CSV report', () => {
  const [head = ''] = [...reportPieces(walk(), 'csv')].join('').split('\r\n')
  expect(head.split(',')).toContain('env_clock_probe')
})
