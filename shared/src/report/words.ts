/** What reports call metrics, verdicts and testbeds, and how they write values. */
import type { ComparedMetric, ComparedRow, Comparison, Verdict } from '../compare/compare.ts'
import type { TestbedKind } from '../testbed/testbed.ts'
import { formatBitRate, formatChange, formatCount, formatLatency, formatTps } from '../measure/units.ts'

export const metricName: Readonly<Record<ComparedMetric, string>> = {
  tps: 'Transactions',
  throughput: 'Throughput, one way',
  min: 'Latency, lowest',
  mean: 'Latency, mean',
  p50: 'Latency, p50',
  p90: 'Latency, p90',
  p99: 'Latency, p99',
  packetsPerRequest: 'Packets a request',
  bytesPerPacket: 'Bytes a packet',
  cpuSecondsPerGigabit: 'CPU time a gigabit',
}

/** `12,191 TPS`, `7.8 Gbit/s`, `88 µs`. */
export function formatMetric(metric: ComparedMetric, value: number): string {
  switch (metric) {
    case 'tps':
      return formatTps(value)
    case 'throughput':
      return formatBitRate(value)
    case 'packetsPerRequest':
      return value.toFixed(2)
    case 'bytesPerPacket':
      return `${formatCount(value)} bytes`
    case 'cpuSecondsPerGigabit':
      return `${(value * 1000).toFixed(1)} ms`
    case 'min':
    case 'mean':
    case 'p50':
    case 'p90':
    case 'p99':
      return formatLatency(value)
  }
}

export const verdictName: Readonly<Record<Verdict, string>> = {
  improved: 'improved',
  worse: 'worse',
  'no-difference': 'no difference seen',
  'too-few': 'too few runs',
}

/** A row that explains and is no goal has no verdict. */
export function rowVerdict({ better, verdict }: ComparedRow): string {
  return better === 'neither' ? '–' : verdictName[verdict]
}

/** For the beginning of a line. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `+14.2 % to +31.0 %`: the ratio's interval as changes. */
export function formatInterval({ interval }: ComparedRow): string {
  if (interval === null) return 'unknown'
  return `${formatChange((interval.low - 1) * 100)} to ${formatChange((interval.high - 1) * 100)}`
}

/** `5 runs, 1 warm-up left out`. */
export function countsOf({ runs, warmups }: Comparison['off']): string {
  const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`
  return warmups === 0 ? counted(runs, 'run') : `${counted(runs, 'run')}, ${counted(warmups, 'warm-up')} left out`
}

export const testbedWords: Readonly<Record<TestbedKind, string>> = {
  netns: 'this machine, in network namespaces',
  kubernetes: 'a Kubernetes cluster',
  recording: 'a recording, played back',
}

/** `2026-11-21 14:03:22 UTC`. */
export function formatInstant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
