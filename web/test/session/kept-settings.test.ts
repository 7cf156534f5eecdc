import { RESET_STEP, type RunEvent } from '@expresslane/shared/run/events'
import type { RunState } from '@expresslane/shared/run/run-state'
import { describe, expect, it } from 'vitest'
import { isUnexpected } from '../../src/session/kept-settings.ts'
import { changeWords, isAsKept, settingWords } from '../../src/words/settings.ts'
import { aLab, ended, logged, runOf, started } from '@expresslane/shared/test/builders'

const step = (id: string, action: object) => ({
  id,
  title: id,
  prose: '',
  commands: [],
  action,
  actionLabel: 'Go',
  hint: null,
})
const few = { default: 1, min: 1, max: 2 }
const switches = aLab({
  arms: [{ id: 'on', label: 'On', settings: { 'big-tcp-ipv4': true } }],
  steps: [
    step('verify-off', { kind: 'verify', arm: 'on' }),
    step('enable', { kind: 'switch', arm: 'on' }),
    step('look', { kind: 'probe', probe: 'page', arms: ['on'] }),
    step('compare', { kind: 'compare' }),
    step('sweep', { kind: 'experiment', plan: null, repeats: few, seconds: few }),
  ],
})
const kept = { 'big-tcp-ipv4': false, 'big-tcp-ipv6': true, 'size-limit': null, 'pod-mtu': null }
const outcome = { passed: true, sentence: 'Done.', observations: [], hint: null }
const passed: RunEvent[] = [{ type: 'step.checked', outcome }, ended]
const interrupted: RunEvent[] = [{ type: 'run.ended', state: 'interrupted', problem: null }]

let next = 1
function ran(stepId: string, end: RunEvent[], params = {}): RunState {
  next += 10
  return runOf(logged([started({ stepId, params }), ...end], next, `r_${String(next).padStart(8, '0')}`))
}

describe('settings from before that are still kept', () => {
  it('are unexpected in a walk that has changed nothing', () => {
    expect(isUnexpected(switches, [], kept)).toBe(true)
    expect(isUnexpected(switches, [ran('compare', passed), ran('verify-off', passed)], kept)).toBe(true)
    expect(isUnexpected(switches, [], null)).toBe(false)
  })

  it('are expected if this walk has changed them, or is changing them', () => {
    expect(isUnexpected(switches, [ran('enable', passed)], kept)).toBe(false)
    expect(isUnexpected(switches, [ran('enable', [])], kept)).toBe(false)
    expect(isUnexpected(switches, [ran('verify-off', passed, { switchOff: true })], kept)).toBe(false)
  })

  it('are unexpected after an incomplete change, such as by the end of the server', () => {
    expect(isUnexpected(switches, [ran('enable', interrupted)], kept)).toBe(true)
  })

  it('are unexpected again in the walk after a reset', () => {
    expect(isUnexpected(switches, [ran('enable', passed), ran(RESET_STEP, passed)], kept)).toBe(true)
  })

  it('are expected while an experiment of this walk uses the path', () => {
    expect(isUnexpected(switches, [ran('sweep', [])], kept)).toBe(false)
    expect(isUnexpected(switches, [ran('sweep', interrupted)], kept)).toBe(true)
  })

  it('are expected after a probe, which sets the path as its arm says', () => {
    expect(isUnexpected(switches, [ran('look', passed)], kept)).toBe(false)
    expect(isUnexpected(switches, [ran('look', interrupted)], kept)).toBe(true)
  })

  it('are listed only where they differ', () => {
    const was = { 'big-tcp-ipv4': false, 'big-tcp-ipv6': false, 'pod-mtu': null }
    expect(changeWords(was, { ...was, 'big-tcp-ipv4': true })).toEqual({
      was: 'BIG TCP over IPv4: off',
      is: 'BIG TCP over IPv4: on',
    })
    const { was: before, is } = changeWords(was, { ...was, 'pod-mtu': 9000 })
    expect(before).not.toBe(is)
    expect(is).toContain('9,000')
  })

  it('do not differ if the path has them all again, and differ if it is unknown', () => {
    expect(isAsKept(kept, { ...kept })).toBe(true)
    expect(isAsKept(kept, { ...kept, 'big-tcp-ipv6': false })).toBe(false)
    expect(isAsKept(kept, null)).toBe(false)
  })

  it('are compared by family', () => {
    expect(settingWords(kept)).toBe('BIG TCP: IPv4 off, IPv6 on')
    expect(settingWords({ 'big-tcp-ipv4': true, 'size-limit': 131_072 })).toBe('BIG TCP: IPv4 on; Send limit: 128K')
  })
})
