import { describe, expect, it } from 'vitest'
import {
  canRun,
  goneError,
  isRunning,
  notReadyError,
  testbedPod,
  waitsFor,
  type TestbedPod,
} from '../../../../src/testbeds/kubernetes/testbed-pods/pod-state.ts'

/** A pod as the API has it. */
function pod(status: object, metadata: object = {}): TestbedPod {
  return testbedPod.parse({
    metadata: { name: 'testbed-1', uid: 'u1', ...metadata },
    spec: { nodeName: 'worker', containers: [{ name: 'testbed', image: 'x' }] },
    status,
  })
}

const ready = { type: 'Ready', status: 'True' }

describe('a testbed’s pod', () => {
  it('can be used once it is ready, and not while it ends', () => {
    expect(isRunning(pod({ phase: 'Running', conditions: [ready] }))).toBe(true)
    expect(isRunning(pod({ phase: 'Running', conditions: [{ type: 'Ready', status: 'False' }] }))).toBe(false)
    const ending = pod({ phase: 'Running', conditions: [ready] }, { deletionTimestamp: '2026-11-27T12:00:00Z' })
    expect([isRunning(ending), canRun(ending)]).toEqual([false, false])
    expect([canRun(pod({ phase: 'Pending' })), canRun(pod({ phase: 'Failed' }))]).toEqual([true, false])
  })

  it.each([
    [
      'the scheduler’s words',
      {
        phase: 'Pending',
        conditions: [
          {
            type: 'PodScheduled',
            status: 'False',
            reason: 'Unschedulable',
            message: '0/3 nodes are available: 3 Insufficient memory.',
          },
        ],
      },
      '0/3 nodes are available: 3 Insufficient memory.',
    ],
    [
      'the kubelet’s words',
      {
        phase: 'Pending',
        containerStatuses: [{ state: { waiting: { reason: 'ErrImagePull', message: 'no such image' } } }],
      },
      'ErrImagePull: no such image',
    ],
    [
      'a reason without words',
      { phase: 'Pending', containerStatuses: [{ state: { waiting: { reason: 'ContainerCreating' } } }] },
      'ContainerCreating',
    ],
    ['its phase', { phase: 'Pending' }, 'Pending'],
  ])('waits with %s', (_name, status, words) => {
    expect(waitsFor(pod(status))).toBe(words)
  })

  it.each([
    [
      'evicted',
      { phase: 'Failed', reason: 'Evicted', message: 'The node was low on memory.' },
      /worker was short of a resource/,
    ],
    ['late', { phase: 'Failed', reason: 'DeadlineExceeded' }, /time limit/],
    [
      'out of memory',
      { phase: 'Failed', containerStatuses: [{ state: { terminated: { reason: 'OOMKilled', exitCode: 137 } } }] },
      /more memory than its limit/,
    ],
    [
      'on a lost node',
      {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'Unknown' }],
        containerStatuses: [{ state: { running: {} } }],
      },
      /node worker of your testbed’s pod does not answer/,
    ],
    [
      'on a node that was marked so',
      { phase: 'Running', conditions: [{ type: 'Ready', status: 'False', reason: 'NodeStatusUnknown' }] },
      /does not answer/,
    ],
    ['cut off', { phase: 'Running', conditions: [ready] }, /connection to your testbed’s pod ended/],
  ])('that is %s is told so', (_name, status, message) => {
    const error = goneError(pod(status), 'the socket closed')
    expect(error).toMatchObject({ code: 'testbed_gone', message: expect.stringMatching(message) })
    expect(error.remedy).toContain('Your results are kept.')
    expect(error.detail).toContain('the socket closed')
  })

  it('that is gone is told so', () => {
    expect(goneError(null, '')).toMatchObject({ message: 'Your testbed’s pod was removed from the cluster.' })
  })

  it('that did not start in time has the last words as its detail', () => {
    expect(notReadyError('3 Insufficient memory.', 300, 'room')).toMatchObject({
      code: 'testbed_unavailable',
      detail: '3 Insufficient memory.',
      remedyCommand: 'kubectl -n room get pods',
    })
  })
})
