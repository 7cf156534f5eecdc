/** Plans kept under names, for everybody who uses this server. */
import { experimentPlan } from '@expresslane/shared/measure/experiment'
import { profile, profilesResponse } from '@expresslane/shared/wire/profiles'
import { describe, expect, it } from 'vitest'
import { openApi, read, refused, type Api } from '../support/http/api.ts'
import { dataDir } from '../support/deps.ts'

const plan = experimentPlan.parse({
  arms: [
    { id: 'off', label: 'Without BIG TCP', settings: { 'big-tcp-ipv4': false } },
    { id: 'on', label: 'With BIG TCP', settings: { 'big-tcp-ipv4': true } },
  ],
  cases: [
    {
      id: 'ipv4-80000',
      label: '80 kB over IPv4',
      family: 'ipv4',
      benchmark: { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 },
    },
  ],
  design: { order: 'auto', repeats: 4, seconds: 1, warmups: 1, budget: null },
})

const names = async (api: Api): Promise<string[]> =>
  read(await api.get('/api/profiles'), 200, profilesResponse).profiles.map(({ name }) => name)

describe('profiles', () => {
  it('are stored and listed by name, and survive a restart', async () => {
    const data = dataDir()
    const api = await openApi({ data })
    expect(await names(api)).toEqual([])
    await api.put('/api/profiles', { name: 'zebra', plan })
    const saved = read(await api.put('/api/profiles', { name: 'My plan', plan }), 200, profile)
    expect(saved).toMatchObject({ name: 'My plan', plan })
    expect(await names(api)).toEqual(['My plan', 'zebra'])
    const another = await openApi({ data })
    expect(read(await another.get('/api/profiles'), 200, profilesResponse).profiles[0]).toEqual(saved)
  })

  it('replace one of the same name', async () => {
    const api = await openApi()
    await api.put('/api/profiles', { name: 'mine', plan })
    const longer = { ...plan, design: { ...plan.design, seconds: 9 } }
    await api.put('/api/profiles', { name: 'mine', plan: longer })
    const { profiles } = read(await api.get('/api/profiles'), 200, profilesResponse)
    expect(profiles).toHaveLength(1)
    expect(profiles[0]?.plan.design.seconds).toBe(9)
  })

  it('are deleted, whatever their name contains', async () => {
    const api = await openApi()
    const name = 'A/A? 100 % “noise” ../x ' + '三'.repeat(30)
    await api.put('/api/profiles', { name, plan })
    expect(await api.delete(`/api/profiles/${encodeURIComponent(name)}`)).toEqual({ status: 204, body: null })
    expect(await names(api)).toEqual([])
    expect(refused(await api.delete(`/api/profiles/${encodeURIComponent(name)}`), 404).code).toBe('not_found')
  })

  it.each([
    ['a nameless one', { name: '  ', plan }],
    ['one that no address can name', { name: ' .. ', plan }],
    ['two arms of one id', { name: 'twice', plan: { ...plan, arms: [plan.arms[0], plan.arms[0]] } }],
    ['no case', { name: 'empty', plan: { ...plan, cases: [] } }],
  ])('refuse %s', async (_, body) => {
    const api = await openApi()
    expect(refused(await api.put('/api/profiles', body), 400).code).toBe('bad_request')
    expect(await names(api)).toEqual([])
  })
})
