/** Changes of the workload's namespace, image and pods, as in `preflight-path-cases.ts`. */
import type { Case } from './preflight-case.ts'
import { both, without, withNodes } from './preflight-changes.ts'
import type { V1Node } from '@kubernetes/client-node'
import { LabError, type ErrorCode } from '@expresslane/shared/base/errors'
import { architecture } from '../../../../src/testbeds/programs/pack.ts'

const problem = (code: ErrorCode): LabError =>
  new LabError(code, 'what happened', 'a way out', { detail: 'the kubelet’s words' })

function otherProcessor({ status }: V1Node): void {
  if (status?.nodeInfo !== undefined) status.nodeInfo.architecture = 'riscv64'
}

export const workloadCases: readonly Case[] = [
  {
    name: 'a namespace that forbids the host network',
    change: (reading) => ({
      ...reading,
      workload: {
        ...reading.workload,
        object: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } } },
      },
    }),
    id: 'namespace',
    status: 'warning',
    seen: 'expresslane enforces Pod Security "baseline".',
  },
  {
    name: 'a namespace that forbids the capture pod',
    change: (reading) => ({
      ...reading,
      workload: {
        ...reading.workload,
        object: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } },
      },
    }),
    id: 'capture',
    status: 'failed',
    blocks: ['capture'],
    command: 'kubectl label namespace expresslane pod-security.kubernetes.io/enforce=privileged --overwrite',
  },
  {
    name: 'an image without iperf3',
    change: without('iperf3'),
    id: 'iperf3',
    status: 'failed',
    seen: 'iperf3 is not in the image expresslane/netperf.',
    blocks: ['iperf3'],
  },
  {
    name: 'an image without tcpdump',
    change: without('tcpdump'),
    id: 'capture',
    status: 'failed',
    seen: 'tcpdump is not in the image expresslane/netperf.',
    blocks: ['capture'],
  },
  {
    name: 'a pod that could not be asked for iperf3',
    change: without('iperf3', 'exec_dropped'),
    id: 'iperf3',
    status: 'warning',
    seen: 'what it said',
    blocks: [],
  },
  {
    name: 'a bare image that the nodes can start',
    change: (reading) => ({
      ...reading,
      tools: null,
      programs: 6_500_000,
      trial: { nodes: ['kind-worker', 'kind-worker2'], problem: null },
    }),
    id: 'image',
    status: 'passed',
    seen: 'expresslane/netperf. A pod of it starts on kind-worker and kind-worker2. 6.5 MB of this machine’s programs are put into each pod.',
  },
  {
    name: 'an image that a node can’t pull',
    change: (reading) => ({ ...reading, trial: { nodes: ['kind-worker'], problem: problem('workload_not_ready') } }),
    id: 'image',
    status: 'failed',
    seen: 'what happened the kubelet’s words',
    blocks: 'all',
  },
  {
    name: 'an image that a node still pulls',
    change: (reading) => ({ ...reading, trial: { nodes: ['kind-worker'], problem: problem('deadline_exceeded') } }),
    id: 'image',
    status: 'warning',
    blocks: [],
  },
  {
    name: 'a machine without the programs for a bare image',
    change: (reading) => ({ ...reading, programs: problem('tool_missing') }),
    id: 'image',
    status: 'failed',
    blocks: 'all',
  },
  {
    name: 'a node with another processor than this machine',
    change: both((reading) => ({ ...reading, programs: 1 }), withNodes(otherProcessor, 'kind-worker')),
    id: 'image',
    status: 'failed',
    seen: `This machine’s programs are for ${architecture}, and these nodes have another processor: kind-worker.`,
    blocks: 'all',
  },
  {
    name: 'a node with another processor than this machine, for an image of one’s own',
    change: withNodes(otherProcessor, 'kind-worker'),
    id: 'image',
    status: 'passed',
  },
  {
    name: 'a namespace that is not there yet',
    change: (reading) => ({ ...reading, workload: { ...reading.workload, object: null } }),
    id: 'namespace',
    status: 'passed',
    seen: 'expresslane will be created.',
  },
]
