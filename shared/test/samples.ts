/** Small builders for tests: valid values with the fields that matter set. */
import { measurement, type Measurement } from '../src/measure/measurement.ts'
import { thisMachine } from '../src/testbed/id.ts'
import { datapathState, reading, type DatapathState, type Reading } from '../src/testbed/reading.ts'
import type { RunEvent, LoggedEvent } from '../src/run/events.ts'
import { loggedEvent } from '../src/run/events.ts'

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

export function path(kernel: Reading[], over: Partial<Record<keyof DatapathState, unknown>> = {}): DatapathState {
  return datapathState.parse({
    at: 1,
    settings: { 'big-tcp-ipv4': false, 'big-tcp-ipv6': false },
    agents: null,
    placement: null,
    kernel,
    ...over,
  })
}

type Over = Partial<Record<keyof Measurement, unknown>> & { values?: Partial<Measurement['values']> }

/** One TCP_RR run; `values` replaces single ones. */
export function measured(tps: number, { values, ...over }: Over = {}): Measurement {
  return measurement.parse({
    arm: 'off',
    family: 'ipv4',
    repeat: 1,
    startedAt: 1,
    elapsedSeconds: 1,
    benchmark: { tool: 'tcp-rr', requestBytes: 80_000, responseBytes: 80_000 },
    values: {
      tps,
      throughput: tps * 640_000,
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

/** One iperf3 stream; `throughput` in bit/s. */
export function streamed(throughput: number, { values, ...over }: Over = {}): Measurement {
  return measurement.parse({
    arm: 'off',
    family: 'ipv4',
    repeat: 1,
    startedAt: 1,
    elapsedSeconds: 1,
    benchmark: { tool: 'iperf3', omitSeconds: 0, intervalSeconds: 1 },
    values: { throughput, retransmits: 0, bytesPerPacket: 65_160, cpuSecondsPerGigabit: 0.08, ...values },
    ...over,
  })
}

/** Events of one run, numbered from `from`, a millisecond apart. */
export function logged(events: RunEvent[], runId = 'r_00000001', from = 1): LoggedEvent[] {
  return events.map((event, index) => loggedEvent.parse({ seq: from + index, runId, at: from + index, event }))
}

export function started(over: { stepId?: string; incarnation?: string } = {}): RunEvent {
  return {
    type: 'run.started',
    sessionId: 's_00000001',
    labId: 'big-tcp-ipv4',
    stepId: over.stepId ?? 'baseline',
    testbed: thisMachine,
    incarnation: over.incarnation ?? 'one',
    params: {},
    solveTo: null,
  }
}
