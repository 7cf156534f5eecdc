/** A feature made here: its one setting is set by a command in a pod, and read back by another. */
import type { Feature } from '@expresslane/shared/features/feature'
import { experimentPlan } from '@expresslane/shared/measure/experiment'
import { features } from '@expresslane/shared/features/registry'
import { tcpRr } from '@expresslane/shared/tools/netperf/tcp-rr'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { withFeatures } from '../../src/features/with-features.ts'
import type { PodSettings } from '../../src/features/feature.ts'
import { serverFeatures } from '../../src/features/registry.ts'
import type { ExecOutput } from '../../src/testbeds/target.ts'
import type { CallContext } from '../../src/testbeds/testbed.ts'
import { beginSession, openRig, stateOf } from '../support/deps.ts'
import { createFakeTestbed, type FakeTestbed } from '../support/fakes/fake-testbed.ts'
import { pair } from '../support/runs/pair.ts'
import { bigTcp } from '../support/runs/settings.ts'

const PACE = 'pace'

const pacing: Feature = {
  id: PACE,
  name: 'Pace',
  settings: [
    {
      id: PACE,
      label: 'Pace',
      schema: z.enum(['walk', 'run']),
      off: 'walk',
      capability: null,
      format: (value) => `${String(value)}ing`,
      control: { kind: 'choice', options: [['walk', 'walk']] },
    },
  ],
  capabilities: [],
  roles: ['client', 'server'],
  metrics: [],
  benchmarks: [tcpRr],
  proof: ({ settings, datapath }) => [
    {
      label: PACE,
      expected: null,
      seen: String(datapath.settings[PACE]),
      ok: datapath.settings[PACE] === settings[PACE],
    },
  ],
  nameArm: ({ [PACE]: of }) => ({ id: String(of), label: String(of) }),
  phrase: ({ [PACE]: of }) => `at a ${String(of)}`,
}

const podSettings: PodSettings = {
  settings: [PACE],
  async set({ [PACE]: value }, { run }) {
    await run('client', ['pace', 'set', String(value)])
  },
  read: async ({ run }) => ({ [PACE]: (await run('client', ['pace', 'get'])).trim() }),
}

afterAll(features.register(pacing))
afterAll(
  serverFeatures.register({
    id: PACE,
    observe: () => [],
    podSettings: [podSettings],
    observeCapture: null,
    sentences: null,
  }),
)

const context: CallContext = { signal: new AbortController().signal, emit: () => {} }

/** A fake whose client pod has a pace; each pod is made with `walk`, and a deaf one stays so. */
function paced({ deaf = false, mute = false, slow = false } = {}): FakeTestbed & { readonly typed: string[] } {
  const fake = createFakeTestbed('paced', { slow })
  let pace = 'walk'
  const typed: string[] = []
  const { deploy, exec, set } = fake
  async function* run(argv: readonly string[]): AsyncGenerator<ExecOutput> {
    typed.push(argv.join(' '))
    if (argv[1] === 'set' && !deaf) pace = argv[2] ?? pace
    if (argv[1] === 'get') yield { type: 'line', stream: 'stdout', text: pace }
    yield { type: 'exit', code: mute ? 1 : 0, signal: null }
  }
  return Object.assign(fake, {
    typed,
    set(...args: Parameters<typeof set>) {
      expect(args[0]).not.toHaveProperty(PACE)
      return set(...args)
    },
    deploy(...args: Parameters<typeof deploy>) {
      pace = 'walk'
      return deploy(...args)
    },
    exec: (...[target, argv, in_]: Parameters<typeof exec>) =>
      argv[0] === 'pace' ? run(argv) : exec(target, argv, in_),
  })
}

describe('a setting that is set by commands in the pods', () => {
  it('is requested at once, set in new pods, and read back from existing pods', async () => {
    const fake = paced()
    const testbed = withFeatures(fake, [podSettings])
    const asked = await testbed.set({ ...bigTcp({ ipv4: true }), [PACE]: 'run' }, context)
    expect(asked.settings).toMatchObject({ 'big-tcp-ipv4': true, [PACE]: 'run' })
    expect(fake.typed).toEqual([])
    await testbed.deploy(pair, 'other-node', context)
    expect(await testbed.read(context)).toMatchObject({
      settings: { [PACE]: 'run' },
      carried: { [PACE]: 'run' },
    })
    const switched = await testbed.set({ [PACE]: 'walk' }, context)
    // The pods that are there keep theirs.
    expect(switched).toMatchObject({ settings: { [PACE]: 'walk' }, carried: { [PACE]: 'run' } })
    await testbed.deploy(pair, 'other-node', context)
    expect((await testbed.read(context)).carried[PACE]).toBe('walk')
  })

  it('is set in the pods that are created while agents restart', async () => {
    const fake = paced({ slow: true })
    const testbed = withFeatures(fake, [podSettings])
    const switched = await testbed.switchAndDeploy?.(
      { ...bigTcp({ ipv4: true }), [PACE]: 'run' },
      pair,
      'other-node',
      context,
    )
    expect(switched).toMatchObject({ settings: { 'big-tcp-ipv4': true, [PACE]: 'run' }, carried: { [PACE]: 'run' } })
    expect(fake.typed).toEqual(['pace set run', 'pace get'])
  })

  it('alone restarts no agents: new pods are enough', async () => {
    const fake = paced({ slow: true })
    const testbed = withFeatures(fake, [podSettings])
    const switched = await testbed.switchAndDeploy?.({ [PACE]: 'run' }, pair, 'other-node', context)
    expect(switched).toMatchObject({ settings: { [PACE]: 'run' }, carried: { [PACE]: 'run' } })
    expect(fake.passed).not.toContain('switchAndDeploy')
    expect(fake.passed).toContain('deploy')
  })

  it('is unknown if it can’t be read', async () => {
    const fake = paced({ mute: true })
    const testbed = withFeatures(fake, [podSettings])
    await testbed.set({ [PACE]: 'run' }, context)
    await fake.deploy(pair, 'other-node', context)
    expect(await testbed.read(context)).toMatchObject({ settings: { [PACE]: 'run' }, carried: {} })
    expect(fake.typed).toEqual(['pace get'])
  })

  it('is read again only when new pods are set up: a reading can send packets, which are counted', async () => {
    const fake = paced()
    const reached = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const halting: PodSettings = {
      ...podSettings,
      async set(settings, pods) {
        reached.resolve()
        await goOn.promise
        await podSettings.set(settings, pods)
      },
    }
    const testbed = withFeatures(fake, [halting])
    await testbed.set({ [PACE]: 'run' }, context)
    const deployed = testbed.deploy(pair, 'other-node', context)
    await reached.promise
    const read = testbed.read(context)
    const gone = testbed.read({ ...context, signal: AbortSignal.abort(new Error('closed')) })
    await expect(gone).rejects.toThrow('closed')
    expect(fake.typed).toEqual([])
    goOn.resolve()
    await deployed
    expect((await read).carried[PACE]).toBe('run')
    expect(fake.typed).toEqual(['pace set run', 'pace get'])
  })

  it('is off and not set before it is requested', async () => {
    const fake = paced()
    const testbed = withFeatures(fake, [podSettings])
    await testbed.deploy(pair, 'other-node', context)
    expect((await testbed.read(context)).settings[PACE]).toBe('walk')
    expect(fake.typed).toEqual(['pace get'])
  })

  it('is off on a testbed that was rebuilt since', async () => {
    const fake = paced()
    const testbed = withFeatures(fake, [podSettings])
    await testbed.set({ [PACE]: 'run' }, context)
    Object.assign(fake, { incarnation: () => Promise.resolve('another') })
    expect((await testbed.read(context)).settings[PACE]).toBe('walk')
    await testbed.deploy(pair, 'other-node', context)
    expect(fake.typed).toEqual([])
  })

  const plan = experimentPlan.parse({
    arms: ['run', 'walk'].map((id) => ({ id, label: id, settings: { [PACE]: id } })),
    cases: [
      {
        id: 'rr',
        label: 'requests',
        family: 'ipv4',
        benchmark: { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 },
      },
    ],
    design: { order: 'interleaved', repeats: 2, seconds: 1, warmups: 0, budget: null },
  })

  async function measured(fake: FakeTestbed) {
    const { deps } = openRig({ fakes: [fake] })
    const session = await beginSession(deps, 'bench')
    const { runId } = await deps.scheduler.start(session, { stepId: 'run', params: { plan }, solve: false })
    await deps.scheduler.settled(runId)
    return stateOf(deps, runId)
  }

  it('is varied by an experiment’s arms, and stored with every measurement', async () => {
    const run = await measured(paced())
    expect(run).toMatchObject({ state: 'completed', problem: null })
    const seen = run.repeats.map(({ arm, measurement }) => [arm, measurement?.fingerprint?.settings[PACE]])
    expect(seen).toEqual([
      ['run', 'run'],
      ['walk', 'walk'],
      ['walk', 'walk'],
      ['run', 'run'],
    ])
    expect(run.outcome?.observations.filter(({ label }) => label.endsWith('pace'))).toHaveLength(2)
    // The last arm ran; nothing was asked for before.
    expect(run.datapath).toMatchObject({ settings: { [PACE]: 'walk' }, placement: null })
  })

  it('stops an arm that did not apply it', async () => {
    const run = await measured(paced({ deaf: true }))
    expect(run).toMatchObject({ state: 'failed', problem: { code: 'datapath_not_taken' } })
    expect(run.problem?.message).toContain(': pace of the pods has walking')
  })
})
