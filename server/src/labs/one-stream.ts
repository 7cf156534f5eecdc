/** One stream at full speed: what BIG TCP is worth to a single flow, and what a gigabit costs. */
import type { StreamBenchmark } from '@expresslane/shared/measure/benchmarks/streams'
import type { ExperimentPlan, TestCase } from '@expresslane/shared/measure/experiment'
import type { Lab, Step } from '@expresslane/shared/labs/lab'
import { familyName, type Family } from '@expresslane/shared/measure/units'
import * as onCluster from './big-tcp-cluster-commands.ts'
import * as onNetns from './big-tcp-commands.ts'
import { streamByHand, streamOnCluster } from './experiment-commands.ts'
import { act, bothFamilies, preflightStep, read, restoreStep } from './steps.ts'

const families: readonly Family[] = ['ipv4', 'ipv6']

function planOf(benchmark: StreamBenchmark): ExperimentPlan {
  const cases = families.map((family): TestCase => ({ id: family, label: familyName[family], family, benchmark }))
  return { arms: [...bothFamilies], cases, design: { order: 'auto', repeats: 4, seconds: 5, warmups: 0, budget: null } }
}

function streamStep(id: string, title: string, prose: string, benchmark: StreamBenchmark): Step {
  return act(
    id,
    title,
    prose,
    {
      kind: 'experiment',
      plan: planOf(benchmark),
      repeats: { default: 4, min: 1, max: 20 },
      seconds: { default: 5, min: 1, max: 120 },
    },
    'Measure',
    {
      commands: [
        onNetns.enter,
        ...families.flatMap((family) => onNetns.enable(family)),
        ...streamByHand(benchmark.tool),
        ...families.flatMap((family) => onCluster.enable(family, `enable-${family}-big-tcp`)),
        ...streamOnCluster(benchmark.tool),
      ],
      hint: 'Read the output of the tool that stopped; deploy again and keep everything else quiet.',
    },
  )
}

export const oneStream: Lab = {
  id: 'one-stream',
  title: 'One stream at full speed',
  question: 'How much does a single flow gain, and what does a gigabit cost?',
  summary: 'iperf3 and netperf TCP_STREAM, one connection, both families, without BIG TCP and with it, CPU included.',
  feature: 'big-tcp',
  families: ['ipv4', 'ipv6'],
  arms: [...bothFamilies],
  listed: true,
  minutes: 6,
  needs: ['big-tcp-ipv4', 'big-tcp-ipv6', 'iperf3'],
  steps: [
    read(
      'why',
      'Why one stream?',
      `A backup, a replica, a model being loaded: one connection that wants all it can get. One flow runs on **one CPU** at
each end, so what a packet costs decides how fast it goes. Fewer, larger packets leave more of that CPU for the data.

The classic run takes 55 s with a row every 5 s. Here it is shorter and repeated, both sides taking turns: a single long
run can't tell you whether a second one would say the same.`,
    ),
    preflightStep(`Can it be done here? This lab needs iperf3 beside netperf, and BIG TCP for both families.`),
    streamStep(
      'iperf3',
      'iperf3, without and with BIG TCP',
      `One flow from client to server. The first second is **omitted** (\`-O\`): TCP is still finding its pace. Each row shows the
bitrate, segments sent again, and the congestion window. Every run with BIG TCP follows fresh pods, whose sizes are read
back before it begins.`,
      { tool: 'iperf3', omitSeconds: 1, intervalSeconds: 1 },
    ),
    streamStep(
      'tcp-stream',
      'The same with netperf TCP_STREAM',
      `Another tool, the same question. If two tools that were written apart agree, it was not the tool.`,
      { tool: 'tcp-stream', omitSeconds: 0, intervalSeconds: 1 },
    ),
    read(
      'what-it-costs',
      'What a gigabit costs',
      `Look at **CPU per gigabit**: the seconds that all CPUs of the machines were busy, for each gigabit that arrived. A flow
that is no faster but costs less is a gain, too: the rest of the machine has more to itself. On shared machines other
work counts into it, so look at the intervals before you believe a difference.`,
    ),
    restoreStep('ipv4', ['enable-ipv4-big-tcp', 'enable-ipv6-big-tcp']),
  ],
}
