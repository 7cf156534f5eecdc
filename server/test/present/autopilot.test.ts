/** Autopilot plays a whole lab, stops at a failed check, and changes hands at any moment. */
import { LabError } from '@expresslane/shared/base/errors'
import { describe, expect, it } from 'vitest'
import { linkOwner } from '../../src/access/principal.ts'
import { createFakeTestbed } from '../support/fakes/fake-testbed.ts'
import { openTalk, type TalkRig } from '../support/runs/talk.ts'

const pausing = ({ autopilot }: { autopilot: { state: string } }): boolean => autopilot.state === 'pausing'

/** Waits for the next pause, and lets it pass. */
async function passPause({ until, shown, clock }: TalkRig): Promise<void> {
  await until(pausing)
  clock.advance((shown().autopilot.until ?? 0) - clock.now())
}

describe('autopilot', () => {
  it('plays a whole lab, with the pauses that the lab plans, and finishes', async () => {
    const rig = await openTalk()
    const { presenting, session, deps, shown, until, clock } = rig
    const steps = deps.findLab(session.labId)?.steps ?? []
    presenting.begin(session, 'why')
    presenting.command({ do: 'autopilot', on: true }, linkOwner)
    const pauses: (readonly [string, number])[] = []
    for (;;) {
      await until(({ autopilot }) => autopilot.state === 'pausing' || autopilot.state === 'finished')
      const { autopilot, stepId } = shown()
      if (autopilot.until === null) break
      pauses.push([stepId, (autopilot.until - clock.now()) / 1000])
      clock.advance(autopilot.until - clock.now())
    }
    expect(shown()).toMatchObject({ stepId: 'restore', autopilot: { state: 'finished', until: null, problem: null } })
    // The question is shown before the comparison, too.
    const planned = steps.flatMap(({ id, pauseSeconds, question }) =>
      (question === null ? [1] : [1, 2]).map(() => [id, pauseSeconds] as const),
    )
    expect(pauses).toEqual(planned)
    expect(deps.store.runs.ofSession(session.id).map(({ stepId, state }) => [stepId, state])).toEqual(
      steps.flatMap(({ id, action }) => (action === null ? [] : [[id, 'completed']])),
    )
  })

  it('begins at the shown step, and solves what was left out', async () => {
    const rig = await openTalk()
    const { presenting, session, deps, until, shown } = rig
    presenting.begin(session, 'read-off')
    presenting.command({ do: 'autopilot', on: true }, linkOwner)
    await until(pausing)
    expect(shown().stepId).toBe('read-off')
    expect(deps.store.runs.ofSession(session.id).map(({ stepId }) => stepId)).toEqual([
      'preflight',
      'verify-off',
      'deploy',
      'read-off',
    ])
  })

  it('stops at the first failure, names it, and goes on from there when it leads again', async () => {
    const fake = createFakeTestbed()
    const rig = await openTalk({ fakes: [fake] })
    const { presenting, session, until, shown } = rig
    presenting.begin(session, 'preflight')
    fake.fail('deploy', new LabError('workload_not_ready', 'A pod did not start.', 'Look at it.'))
    presenting.command({ do: 'autopilot', on: true }, linkOwner)
    await passPause(rig)
    await passPause(rig)
    await until(({ autopilot }) => autopilot.state === 'stopped')
    expect(shown()).toMatchObject({
      stepId: 'deploy',
      autopilot: { until: null, problem: '“Deploy netperf” failed: A pod did not start.' },
    })
    presenting.command({ do: 'autopilot', on: true }, linkOwner)
    expect(shown().autopilot.problem).toBeNull()
    await passPause(rig)
    await until(({ stepId }) => stepId === 'read-off')
  })

  it('stops at a check that does not pass', async () => {
    const fake = createFakeTestbed()
    fake.checks.push({
      id: 'kernel',
      title: 'The kernel',
      status: 'failed',
      seen: 'too old',
      remedy: null,
      remedyCommand: null,
      blocks: ['big-tcp-ipv4'],
      problem: null,
    })
    const { presenting, session, until, shown } = await openTalk({ fakes: [fake] })
    presenting.begin(session, 'preflight')
    presenting.command({ do: 'autopilot', on: true }, linkOwner)
    await until(({ autopilot }) => autopilot.state === 'stopped')
    expect(shown().autopilot.problem).toMatch(/“Preflight”/)
  })

  it('gives way to the presenter while a step runs, and takes over from the step that is then shown', async () => {
    const fake = createFakeTestbed()
    const rig = await openTalk({ fakes: [fake] })
    const { presenting, session, until, shown, deps } = rig
    const door = fake.hold('preflight')
    presenting.begin(session, 'preflight')
    presenting.command({ do: 'autopilot', on: true }, linkOwner)
    await door.reached
    expect(presenting.command({ do: 'go', stepId: 'why' }, linkOwner).autopilot.state).toBe('off')
    presenting.command({ do: 'go', stepId: 'preflight' }, linkOwner)
    expect(presenting.command({ do: 'autopilot', on: true }, linkOwner).autopilot.state).toBe('running')
    expect(presenting.command({ do: 'autopilot', on: false }, linkOwner).autopilot.state).toBe('off')
    presenting.command({ do: 'autopilot', on: true }, linkOwner)
    door.open()
    await until(pausing)
    expect(shown().stepId).toBe('preflight')
    expect(deps.store.runs.ofSession(session.id)).toHaveLength(1)
  })

  it('changes its pace while it pauses', async () => {
    const { presenting, session, until, shown, clock } = await openTalk()
    presenting.begin(session, 'why')
    presenting.command({ do: 'autopilot', on: true }, linkOwner)
    await until(pausing)
    const began = clock.now()
    expect(shown().autopilot.until).toBe(began + 25_000)
    clock.advance(5_000)
    expect(presenting.command({ do: 'autopilot', on: true, pace: 2 }, linkOwner).autopilot.until).toBe(began + 50_000)
    expect(presenting.command({ do: 'autopilot', on: true, pace: 0.1 }, linkOwner).autopilot.until).toBe(began + 2_500)
    clock.advance(0)
    await until(({ stepId }) => stepId === 'preflight')
    expect(presenting.command({ do: 'autopilot', on: false, pace: 0.5 }, linkOwner).autopilot).toMatchObject({
      state: 'off',
      pace: 0.5,
    })
  })

  it('ends with the presentation', async () => {
    const { presenting, session, until, clock, deps } = await openTalk()
    presenting.begin(session, 'why')
    presenting.command({ do: 'autopilot', on: true }, linkOwner)
    await until(pausing)
    presenting.end()
    clock.advance(60_000)
    expect(presenting.current()).toBeNull()
    expect(deps.store.runs.ofSession(session.id)).toEqual([])
  })
})
