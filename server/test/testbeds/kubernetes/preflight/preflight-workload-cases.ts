/** Changes of the workload's namespace, image and pods, as in `preflight-path-cases.ts`. */
import type { Case } from './preflight-case.ts'
import { without } from './preflight-changes.ts'

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
    name: 'a namespace that is not there yet',
    change: (reading) => ({ ...reading, workload: { ...reading.workload, object: null } }),
    id: 'namespace',
    status: 'passed',
    seen: 'expresslane will be created.',
  },
]
