/** The context of a testbed: unset until somebody chooses it, remembered, and never changed under a run. */
import { bigTcp } from '../support/runs/settings.ts'
import { labsResponse, sessionView, testbedView, type TestbedView } from '@expresslane/shared/wire/protocol'
import { describe, expect, it } from 'vitest'
import { newSession, openApi, read, refused, startStep, type Api } from '../support/http/api.ts'
import { dataDir, openRig, stateOf } from '../support/deps.ts'
import { createFakeTestbed } from '../support/fakes/fake-testbed.ts'

const contexts = ['here', 'there']
const URL = '/api/testbeds/netns'

async function view(api: Api): Promise<TestbedView> {
  return read(await api.get(URL), 200, testbedView)
}

describe('a testbed with contexts', () => {
  it('is not touched before one is chosen', async () => {
    const api = await openApi({ contexts })
    expect(await view(api)).toMatchObject({ context: null, facts: null, problem: { code: 'context_not_chosen' } })
    expect((await view(api)).contexts.map(({ name }) => name)).toEqual(contexts)
    expect(api.fakes).toEqual([])
    expect(refused(await api.post('/api/sessions', { labId: 'big-tcp-ipv4' }), 409).code).toBe('context_not_chosen')
  })

  it('changes with the choice, and a session stays in its context', async () => {
    const api = await openApi({ contexts })
    const first = read(await api.put(`${URL}/context`, { context: 'here' }), 200, testbedView)
    expect(first).toMatchObject({ context: 'here', problem: null, facts: { incarnation: api.fakes[0]?.id } })
    const session = await newSession(api)
    const second = read(await api.put(`${URL}/context`, { context: 'there' }), 200, testbedView)
    expect(second).toMatchObject({ context: 'there', facts: { incarnation: api.fakes[1]?.id } })
    expect(api.fakes[0]?.passed).toContain('close')
    expect([first.id, session.session.testbed, second.id]).toEqual(['netns:here', 'netns:here', 'netns:there'])
    // The session stays where it began: opening it connects there again.
    expect(api.fakes).toHaveLength(2)
    const again = read(await api.get(`/api/sessions/${session.session.id}`), 200, sessionView)
    expect(again.session.testbed).toBe('netns:here')
    expect(again.incarnation).toBe(api.fakes[2]?.id)
  })

  it('is never in a context that was not chosen, for any request', async () => {
    const api = await openApi({ contexts, asked: 'here' })
    const there = read(await api.get('/api/testbeds/netns:there'), 200, testbedView)
    expect(there).toMatchObject({ id: 'netns:there', facts: null, problem: { code: 'context_not_chosen' } })
    const begun = await api.post('/api/sessions', { labId: 'big-tcp-ipv4', testbed: 'netns:there' })
    expect(refused(begun, 409).code).toBe('context_not_chosen')
    expect(api.fakes).toEqual([])
  })

  it('is offered in the context in use', async () => {
    const api = await openApi({ contexts })
    const offered = async () => read(await api.get('/api/labs'), 200, labsResponse).testbeds
    expect(await offered()).toEqual(['netns'])
    await api.put(`${URL}/context`, { context: 'there' })
    expect(await offered()).toEqual(['netns:there'])
  })

  it('refuses a missing context, and keeps the current one', async () => {
    const api = await openApi({ contexts, asked: 'here' })
    const problem = refused(await api.put(`${URL}/context`, { context: 'nowhere' }), 404)
    expect(problem).toMatchObject({ code: 'not_found', remedy: 'Choose one of: here, there.' })
    expect((await view(api)).context).toBe('here')
  })

  it('does not change its context while a run uses it', async () => {
    const fake = createFakeTestbed()
    const api = await openApi({ contexts, asked: 'here', fakes: [fake] })
    const session = await newSession(api)
    const door = fake.hold('preflight')
    const { runId } = await startStep(api, session, 'preflight')
    await door.reached
    expect(refused(await api.put(`${URL}/context`, { context: 'there' }), 409).code).toBe('testbed_busy')
    door.open()
    await api.deps.scheduler.settled(runId)
    expect(stateOf(api.deps, runId).state).toBe('completed')
    expect(read(await api.put(`${URL}/context`, { context: 'there' }), 200, testbedView).context).toBe('there')
  })

  it('is remembered for the next start, unless that names another', async () => {
    const data = dataDir()
    const { deps } = openRig({ data, contexts })
    await deps.scheduler.useContext('netns', 'there')
    await deps.close()
    const context = (options: object): string | null =>
      openRig({ data, contexts, ...options }).deps.testbeds.contexts('netns').current
    expect(context({})).toBe('there')
    expect(context({ asked: 'here' })).toBe('here')
    // Another kubeconfig, without it.
    expect(context({ contexts: ['elsewhere'] })).toBeNull()
  })
})

describe('the settings that are kept for Restore', () => {
  it('is returned with the testbed until it is restored', async () => {
    const api = await openApi()
    const session = await newSession(api)
    expect((await view(api)).toRestore).toBeNull()
    const { runId } = await startStep(api, session, 'enable', { solve: true, params: { repeats: 1, seconds: 1 } })
    await api.deps.scheduler.settled(runId)
    expect((await view(api)).toRestore).toEqual(
      bigTcp({ ipv4: false, ipv6: false, limit: null, mtu: null, cpus: null }),
    )
    const reset = await api.deps.scheduler.reset(session.session)
    await api.deps.scheduler.settled(reset.runId)
    expect((await view(api)).toRestore).toBeNull()
  })
})

describe('the pods’ placement', () => {
  it('is as requested, also when pods are created again, and is refused by a testbed that does not support it', async () => {
    const api = await openApi()
    const session = await newSession(api)
    const run = async (step: string, body: object) => {
      const { runId } = await startStep(api, session, step, body)
      await api.deps.scheduler.settled(runId)
      return stateOf(api.deps, runId)
    }
    expect(await run('deploy', { params: { placement: 'same-node' } })).toMatchObject({
      placement: { variant: 'same-node' },
      outcome: {
        observations: [{ label: 'nodes', expected: 'the same node', seen: 'node1', ok: true }, {}, {}, {}, {}],
      },
    })
    expect((await run('deploy', {})).placement?.variant).toBe('same-node')
    const refusal = await run('deploy', { params: { placement: 'host-network' } })
    expect(refusal).toMatchObject({ state: 'failed', problem: { code: 'bad_request' } })
    expect(refusal.problem?.remedy).toContain('other-node, same-node')
  })
})
