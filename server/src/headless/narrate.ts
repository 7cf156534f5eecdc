/** Progress for people, a line an event worth telling. */
import type { RunEvent } from '@expresslane/shared/run/events'
import type { Lab } from '@expresslane/shared/labs/lab'
import { formatBitRate, formatLatency, formatTps } from '@expresslane/shared/measure/units'

const marks = { passed: 'ok', warning: 'warning', failed: 'FAILED' } as const

/** @returns the lines for one event; none for what a terminal need not see */
export function narrate(lab: Lab, event: RunEvent): string[] {
  if (event.type === 'run.started') {
    const number = lab.steps.findIndex((step) => step.id === event.stepId)
    const title = lab.steps[number]?.title ?? 'Reset'
    return ['', number < 0 ? title : `${number + 1}. ${title}`]
  }
  if (event.type === 'preflight.checked') {
    const { check } = event
    const remedy = check.status === 'passed' || check.remedy === null ? [] : [`      ${check.remedy}`]
    const command = remedy.length === 0 || check.remedyCommand === null ? [] : [`      ${check.remedyCommand}`]
    return [`   ${marks[check.status]}: ${check.title}: ${check.seen}`, ...remedy, ...command]
  }
  if (event.type === 'command.started') return [`   $ ${event.typed}`]
  if (event.type === 'repeat.started') {
    const { repeat, repeats, seconds, caseId, arm, warmup } = event
    const of = caseId === null ? '' : `${arm}, ${caseId}${warmup ? ' (warm-up, thrown away)' : ''}, `
    return [`   repeat ${repeat} of ${repeats}, ${of}${seconds} s`]
  }
  if (event.type === 'progress') return [`   ${event.message}`]
  if (event.type === 'sample.taken') return [`      ${event.atSeconds.toFixed(1)} s  ${formatTps(event.tps)}`]
  if (event.type === 'interval.taken') {
    const { atSeconds, bitsPerSecond, omitted } = event.interval
    return [`      ${atSeconds.toFixed(1)} s  ${formatBitRate(bitsPerSecond)}${omitted ? ' (left out)' : ''}`]
  }
  if (event.type === 'measurement.taken') {
    if (event.measurement.tool !== 'tcp-rr') return [`   ${formatBitRate(event.measurement.throughput)}`]
    const { tps, latency, packets } = event.measurement
    const seen = packets === null ? 'packets unknown' : `${packets.perRequest.toFixed(2)} packets a request`
    const { min, p50, p90, p99 } = latency
    return [
      `   ${formatTps(tps)}; min ${formatLatency(min)}, p50 ${formatLatency(p50)}, p90 ${formatLatency(p90)}, p99 ${formatLatency(p99)}; ${seen}`,
    ]
  }
  if (event.type === 'step.checked') {
    const { passed, sentence, observations, hint } = event.outcome
    const wrong = observations.filter((one) => !one.ok)
    return [
      `   ${passed ? 'ok' : 'NOT OK'}: ${sentence}`,
      ...wrong.map((one) => `      ${one.label}: expected ${one.expected ?? 'something else'}, seen ${one.seen}`),
      ...(hint === null ? [] : [`      ${hint}`]),
    ]
  }
  if (event.type === 'run.ended' && event.problem !== null) {
    const { code, message, remedy, remedyCommand, detail } = event.problem
    return [
      `   ${event.state}: ${message} (${code})`,
      `      ${remedy}`,
      ...(remedyCommand === null ? [] : [`      ${remedyCommand}`]),
      ...(detail === null ? [] : [`      ${detail}`]),
    ]
  }
  return []
}

/** The closing lines of a completed lab. */
export function summarise(sentence: string, packets: { off: number | null; on: number | null }): string {
  const show = (value: number | null): string => (value === null ? 'unknown' : value.toFixed(2))
  return `\n${sentence}\nData packets a request: ${show(packets.off)} without, ${show(packets.on)} with BIG TCP.`
}
