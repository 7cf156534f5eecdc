/** An experiment with some of its cases. */
import { describe, expect, it } from 'vitest'
import { openRig } from '../../support/deps.ts'
import { perform, planOf, request, start } from '../../support/runs/experiments.ts'

const plan = planOf({}, { cases: [request('ipv4'), request('ipv6'), request('ipv4', 1)] })

describe('the cases of an experiment', () => {
  it('are those that were asked for, in the order of the plan', async () => {
    const run = await perform(openRig(), plan, { cases: ['ipv4-1', 'ipv4-80000'] })
    expect(run.state).toBe('completed')
    expect(run.plan?.cases.map(({ id }) => id)).toEqual(['ipv4-80000', 'ipv4-1'])
    expect(new Set(run.comparisons.map(({ caseId }) => caseId))).toEqual(new Set(['ipv4-80000', 'ipv4-1']))
  })

  it('are refused, and listed, where one does not exist', async () => {
    await expect(start(openRig(), plan, { cases: ['ipv4-80000', 'ipv5'] })).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('has no case “ipv5”'),
      remedy: 'Choose of its cases: ipv4-80000, ipv6-80000, ipv4-1.',
    })
  })
})
