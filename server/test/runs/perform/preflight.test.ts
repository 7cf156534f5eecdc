import type { Capability } from '@expresslane/shared/testbed/testbed'
import { expect, test } from 'vitest'
import { preflight } from '../../../src/runs/actions/preflight.ts'
import { limited } from '../../support/runs/experiments.ts'
import { performanceOn } from '../../support/runs/perform.ts'

const reason = 'Only root may choose the CPU of a kernel thread.'

async function found(needs: Capability[]) {
  const context = performanceOn(limited(['pod-network', 'forwarding-node', 'nftables'], { 'kernel-thread': reason }))
  return preflight({ kind: 'preflight' }, { ...context, lab: { ...context.lab, needs } })
}

test('a lab that needs what the testbed can’t do stops at its preflight, with the reason', async () => {
  expect(await found(['nodeport-nftables', 'nodeport-thread'])).toMatchObject({
    passed: false,
    sentence: `This lab can't run here: ${reason}`,
  })
})

test('a lab that does not need it can run', async () => {
  expect(await found(['nodeport-nftables'])).toMatchObject({ passed: true })
})
