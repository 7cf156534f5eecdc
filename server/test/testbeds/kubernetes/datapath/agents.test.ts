import type { V1Pod } from '@kubernetes/client-node'
import { expect, test } from 'vitest'
import { agentOf, readAnswer } from '../../../../src/testbeds/kubernetes/datapath/agents.ts'
import { isReady, isUp, uidOf } from '../../../../src/testbeds/kubernetes/api/pod.ts'
import { recordedAgentPods, recordedStatuses } from '../recorded.ts'

const links = '[{"ifindex":2,"ifname":"eth0","mtu":1500}]'
const status = JSON.stringify(recordedStatuses('on')['kind-worker'], null, 2).split('\n')

test('an answer contains the status and the links', () => {
  const answer = readAnswer([...status, '', 'expresslane-status 0', links], [], 0)
  expect(answer).toMatchObject({
    status: { state: 'Ok', setting: { ipv4: true, ipv6: true } },
    links: [{ index: 2, peerIndex: null, link: { device: 'eth0' } }],
    reason: null,
  })
})

test('the failed part is unknown with its error, and the rest is known', () => {
  const words = ['Error: Cannot get status: dial unix /run/cilium.sock: connection refused']
  const noStatus = readAnswer(['', 'expresslane-status 1', links], words, 0)
  expect(noStatus).toMatchObject({ status: null, links: [{ index: 2 }] })
  expect(noStatus.reason).toContain('connection refused')

  const noLinks = readAnswer([...status, '', 'expresslane-status 0'], ['sh: ip: not found'], 127)
  expect(noLinks).toMatchObject({ status: { state: 'Ok' }, links: null })
  expect(noLinks.reason).toContain('ip: not found')

  const garbled = readAnswer(['{"cilium"', 'expresslane-status 0', 'no links'], [], 0)
  expect(garbled).toMatchObject({ status: null, links: null })
  expect(garbled.reason).toMatch(/status could not be read.*`ip link` could not be read/)

  expect(readAnswer([], [], null)).toMatchObject({ status: null, links: null })
})

test('each recorded node has its agent', () => {
  const pods = recordedAgentPods('off')
  for (const pod of pods) expect(agentOf(pod.spec?.nodeName ?? '', pods)).toBe(pod)
})

test('the agent of a node is the one that is not ending, Ready ones first', () => {
  const pod = (uid: string, ready: boolean, deletionTimestamp?: Date): V1Pod => ({
    spec: { nodeName: 'kind-worker', containers: [] },
    metadata: { uid, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) },
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  })
  const uidAmong = (...pods: V1Pod[]): string | null => {
    const found = agentOf('kind-worker', pods)
    return found === null ? null : uidOf(found)
  }
  const ending = pod('ending', true, new Date(0))
  expect(uidAmong(ending, pod('starting', false))).toBe('starting')
  expect(uidAmong(pod('ready', true), pod('starting', false))).toBe('ready')
  expect(uidAmong(ending)).toBeNull()
  expect(agentOf('kind-worker2', [pod('ready', true)])).toBeNull()
})

test('an agent on an unreachable node can still be asked, and one that starts or ends can’t', () => {
  const [recorded] = recordedAgentPods('off')
  const without = (...types: string[]): V1Pod => {
    const pod: V1Pod = structuredClone(recorded) ?? {}
    for (const one of pod.status?.conditions ?? []) if (types.includes(one.type)) one.status = 'False'
    return pod
  }
  // The conditions that the control plane writes for a silent node, and the conditions that a kubelet writes.
  const [unheard, starting] = [without('Ready'), without('Ready', 'ContainersReady')]
  const ending = without()
  Object.assign(ending.metadata ?? {}, { deletionTimestamp: new Date(0) })
  expect([without(), unheard, starting, ending].map(isUp)).toEqual([true, true, false, false])
  expect([without(), unheard].map(isReady)).toEqual([true, false])
})
