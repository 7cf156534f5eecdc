/** Builders of valid values for all tests. Tests set only the fields that matter. */
import { type LoggedEvent, type RunEvent, loggedEvent, sessionId } from '../src/run/events.ts'
import { listedLab, type ListedLab } from '../src/labs/lab.ts'
import { measurement, type Measurement } from '../src/measure/measurement.ts'
import { datapathState, reading, type DatapathState, type Reading } from '../src/testbed/reading.ts'
import { testbedView, type TestbedView } from '../src/wire/protocol.ts'
import { reduceRun } from './reduce-run.ts'
import type { RunState } from '../src/run/run-state.ts'
import { testbedFacts, type Check, type TestbedFacts } from '../src/testbed/testbed.ts'
import { fingerprint, type Fingerprint } from '../src/measure/fingerprint.ts'
import { thisMachine } from '../src/testbed/id.ts'

export const aSession = sessionId.parse('s_00000001')

export function device(over: Partial<Record<keyof Reading, unknown>> = {}): Reading {
  return reading.parse({
    where: 'node1',
    role: 'node',
    native: true,
    device: 'eth0',
    mtu: 1500,
    gsoMaxSize: 65_536,
    groMaxSize: 65_536,
    gsoIpv4MaxSize: 65_536,
    groIpv4MaxSize: 65_536,
    tsoMaxSize: 524_280,
    counters: null,
    ...over,
  })
}

export function datapath(kernel: Reading[], over: Partial<Record<keyof DatapathState, unknown>> = {}): DatapathState {
  return datapathState.parse({
    at: 1,
    settings: { 'big-tcp-ipv4': false, 'big-tcp-ipv6': false },
    agents: null,
    placement: null,
    kernel,
    ...over,
  })
}

/** A lab with a step to read and one to run. */
export function aLab(over: Partial<Record<keyof ListedLab, unknown>> = {}): ListedLab {
  const step = { prose: '', commands: [], action: null, actionLabel: null, hint: null }
  return listedLab.parse({
    id: 'big-tcp-ipv4',
    title: 'BIG TCP over IPv4',
    question: 'Do larger packets make requests faster?',
    summary: 'Before and after.',
    feature: 'big-tcp',
    families: ['ipv4'],
    arms: ['off', 'on'].map((id) => ({ id, label: id, settings: { 'big-tcp-ipv4': id === 'on' } })),
    listed: true,
    minutes: 5,
    needs: ['big-tcp-ipv4'],
    steps: [
      { ...step, id: 'why', title: 'Why packets grow' },
      { ...step, id: 'preflight', title: 'Check the testbed', action: { kind: 'preflight' }, actionLabel: 'Check' },
    ],
    origin: 'shipped',
    file: 'labs/big-tcp.md',
    ...over,
  })
}

/** netns before it was read. */
export function testbed(over: Partial<Record<keyof TestbedView, unknown>> = {}): TestbedView {
  return testbedView.parse({
    id: thisMachine,
    kind: 'netns',
    capabilities: ['big-tcp-ipv4', 'big-tcp-ipv6'],
    lacks: [],
    choices: {},
    labs: null,
    placements: ['other-node'],
    contexts: [],
    context: null,
    facts: null,
    preflight: [],
    datapath: null,
    problem: null,
    busy: null,
    toRestore: null,
    ...over,
  })
}

/** A cluster's facts, with one node per kernel and Cilium version. */
export function clusterFacts(
  nodes: readonly { kernel: string; cilium: string | null }[],
  over: Partial<Record<keyof TestbedFacts, unknown>> = {},
): TestbedFacts {
  return testbedFacts.parse({
    kind: 'kubernetes',
    name: 'kind-kind',
    incarnation: 'one',
    kernel: nodes[0]?.kernel ?? 'unknown',
    os: 'Debian',
    cpu: { model: 'x', count: 2, governor: null },
    load: 0,
    nodes: nodes.map((_, index) => `node${index}`),
    versions: {},
    cluster: {
      context: 'kind-kind',
      kubernetes: 'v1.34.4',
      nodes: nodes.map((one, index) => ({
        name: `node${index}`,
        os: 'Debian',
        runtime: 'containerd://1.6.20',
        kubelet: 'v1.34.4',
        cpus: 2,
        schedulable: true,
        devices: [],
        ...one,
      })),
      datapathMode: null,
      routing: null,
      hostRouting: null,
      masquerading: null,
      kubeProxyReplacement: null,
      encryption: null,
      images: {},
    },
    ...over,
  })
}

export function check(status: Check['status'], over: Partial<Check> = {}): Check {
  return {
    id: 'kernel',
    title: 'Kernel',
    status,
    seen: '6.1',
    problem: null,
    remedy: null,
    remedyCommand: null,
    blocks: [],
    ...over,
  }
}

type Over = Partial<Record<keyof Measurement, unknown>> & { values?: Partial<Measurement['values']> }

/** A TCP_RR run; `values` replaces single values. */
export function measured({ values, ...over }: Over = {}): Measurement {
  return measurement.parse({
    arm: 'off',
    family: 'ipv4',
    repeat: 1,
    startedAt: 1,
    elapsedSeconds: 1,
    benchmark: { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 },
    values: {
      tps: 10_000,
      throughput: (values?.['tps'] ?? 10_000) * 640_000,
      min: 50,
      mean: 90,
      p50: 88,
      p90: 104,
      p99: 161,
      max: 3214,
      stddev: 33,
      packetsPerRequest: 2,
      packetsPerResponse: 2,
      acks: 2,
      retransmits: 0,
      ...values,
    },
    ...over,
  })
}

/** An iperf3 stream. */
export function streamed({ values, ...over }: Over = {}): Measurement {
  return measurement.parse({
    arm: 'off',
    family: 'ipv4',
    repeat: 1,
    startedAt: 1,
    elapsedSeconds: 1,
    benchmark: { tool: 'iperf3', omitSeconds: 0, intervalSeconds: 1 },
    values: {
      throughput: 16_700_000_000,
      retransmits: 0,
      bytesPerPacket: 65_160,
      cpuSecondsPerGigabit: 0.08,
      ...values,
    },
    ...over,
  })
}

/** The environment of a measurement. */
export function environment(over: Partial<Record<keyof Fingerprint, unknown>> = {}): Fingerprint {
  return fingerprint.parse({
    testbed: 'netns',
    name: 'this machine',
    incarnation: 'one',
    kernel: '6.18.5',
    os: 'Debian 13',
    cpu: { model: 'Ryzen', count: 2, governor: null },
    load: 0.2,
    versions: { netperf: '2.7.0' },
    settings: { 'big-tcp-ipv4': false, 'big-tcp-ipv6': false, 'size-limit': null },
    mtu: 1500,
    placement: null,
    images: {},
    ...over,
  })
}

export function started(over: Partial<Extract<RunEvent, { type: 'run.started' }>> = {}): RunEvent {
  return {
    type: 'run.started',
    sessionId: aSession,
    labId: 'big-tcp-ipv4',
    stepId: 'baseline',
    testbed: thisMachine,
    incarnation: 'one',
    params: {},
    solveTo: null,
    ...over,
  }
}

/** The `run.queued` event of the preflight step. */
export function queued(place: number, expectedSeconds: number | null): RunEvent {
  return {
    type: 'run.queued',
    sessionId: aSession,
    labId: 'big-tcp-ipv4',
    stepId: 'preflight',
    testbed: thisMachine,
    incarnation: 'one',
    params: {},
    solveTo: null,
    place,
    expectedSeconds,
    paused: false,
  }
}

type RepeatStarted = Extract<RunEvent, { type: 'repeat.started' }>

export function repeatStarted(repeat = 1, over: Partial<RepeatStarted> = {}): RunEvent {
  const common = {
    arm: 'off',
    caseId: null,
    warmup: false,
    family: 'ipv4',
    benchmark: null,
    repeats: 3,
    seconds: 10,
  } as const
  return { type: 'repeat.started', ...common, repeat, ...over }
}

export function sample(atSeconds: number, tps: number, repeat = 1): RunEvent {
  return { type: 'sample.taken', repeat, sample: { atSeconds, seconds: null, omitted: false, values: { tps } } }
}

export const ended: RunEvent = { type: 'run.ended', state: 'completed', problem: null }

/** Events of one run, numbered from `from`, a millisecond apart. */
export function logged(events: RunEvent[], from = 1, runId = 'r_00000001'): LoggedEvent[] {
  return events.map((event, index) => loggedEvent.parse({ seq: from + index, runId, at: from + index, event }))
}

export function runOf(events: LoggedEvent[]): RunState {
  const run = events.reduce<RunState | null>(reduceRun, null)
  if (run === null) throw new Error('no events')
  return run
}
