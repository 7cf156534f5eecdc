/** Files that are hard to read: a file for each kind of excess, and a valid file with nothing but samples. */
import { RECORDING_VERSION } from '@expresslane/shared/recordings/recording'

/** A file to send, and whether it is a recording. */
export interface HardFile {
  readonly what: string
  readonly bytes: Buffer
  readonly valid: boolean
}

const RECORDED_AT = Date.UTC(2026, 10, 21, 9)
const LAB = 'big-tcp-ipv4'
export const STEP = 'baseline'

const head = {
  format: 'expresslane-recording',
  version: RECORDING_VERSION,
  name: 'A hard file',
  recordedAt: RECORDED_AT,
  lab: LAB,
  facts: {
    kind: 'netns',
    name: 'this machine',
    incarnation: 'netns-1',
    kernel: '6.18.0',
    os: 'none',
    cpu: { model: 'none', count: 2, governor: null },
    load: 0.5,
    nodes: ['node1', 'node2'],
    versions: { netperf: '2.7.0' },
  },
}

const started = {
  type: 'run.started',
  sessionId: 's_00000001',
  labId: LAB,
  stepId: STEP,
  testbed: 'netns',
  incarnation: 'netns-1',
  params: {},
  solveTo: null,
}
const repeat = {
  type: 'repeat.started',
  arm: 'off',
  caseId: null,
  warmup: false,
  family: 'ipv4',
  benchmark: null,
  repeat: 1,
  repeats: 1,
  seconds: 1,
}
const outcome = { passed: true, sentence: 'Measured.', observations: [], hint: null }
const checked = { type: 'step.checked', outcome }
const ended = { type: 'run.ended', state: 'completed', problem: null }
const at = (event: object, ms = 0): string => JSON.stringify({ at: ms, event })

/** A recording with the given lines after its head. */
function withLines(lines: string): string {
  return `${JSON.stringify(head)}\n${lines}`
}

function withEvents(events: string): string {
  return withLines(`{"run":{"stepId":"${STEP}","startedAt":${RECORDED_AT}}}\n${events}`)
}

/** A file of an earlier version, which is one value, with the given text in the place of its runs. */
function earlier(runs: string): string {
  return `${JSON.stringify({ ...head, version: 4 }).slice(0, -1)},"runs":${runs}}`
}

/** `item` again and again until `bytes` are full. */
function repeated(item: string, bytes: number, between = ','): string {
  return `${`${item}${between}`.repeat(Math.floor(bytes / (item.length + between.length)))}${item}`
}

/** A repeat with `bytes` of samples. */
function samples(bytes: number): string {
  const parts = [at(started), at(repeat)]
  let length = 0
  for (let index = 1; length < bytes; index += 1) {
    const atSeconds = index / 1000
    const sample = { atSeconds, seconds: 0.001, omitted: false, values: { tps: 10_000 + (index % 100) } }
    const event = at({ type: 'sample.taken', repeat: 1, sample }, Math.floor(index / 400))
    length += event.length + 1
    parts.push(event)
  }
  const last = Math.ceil(parts.length / 400)
  return withEvents([...parts, at(checked, last), at(ended, last)].join('\n'))
}

/** @param bytes the size of each file, about */
function validFile(bytes: number): Buffer {
  return Buffer.from(samples(bytes))
}

/** @param bytes the size of each file, about */
export function hardFiles(bytes: number): HardFile[] {
  const MB = 1024 * 1024
  const refused: readonly (readonly [string, string])[] = [
    ['events without anything', withEvents(repeated('{}', bytes, '\n'))],
    ['runs without anything', withLines(repeated('{"run":{}}', bytes, '\n'))],
    [
      'earlier events without anything',
      earlier(`[{"stepId":"${STEP}","startedAt":1,"events":[${repeated('{}', bytes)}]}]`),
    ],
    ['earlier runs without anything', earlier(`[${repeated('{}', bytes)}]`)],
    ['earlier lists in lists', earlier('['.repeat(bytes / 2) + ']'.repeat(bytes / 2))],
    ['lists in lists', withEvents('['.repeat(bytes / 2) + ']'.repeat(bytes / 2))],
    ['lists without an end', withEvents('['.repeat(bytes))],
    ['numbers instead of events', withEvents(repeated('1', bytes, '\n'))],
    [
      'one event with a million comparisons',
      withEvents(at({ type: 'cases.compared', comparisons: '@' }).replace('"@"', `[${repeated('{}', 3 * MB)}]`)),
    ],
    [
      'comparisons as many as one event may have',
      withEvents(at({ type: 'cases.compared', comparisons: '@' }).replace('"@"', `[${repeated('{}', 59_000)}]`)),
    ],
    [
      'text in the place of numbers, as much as one event may have',
      withEvents(
        [at(started), at({ ...repeat, arm: '@' }).replace('"@"', `[${repeated('"a"', 1_500_000)}]`)].join('\n'),
      ),
    ],
    ['unknown fields', `${JSON.stringify(head).slice(0, -1)},${repeated('"a":0', bytes)}}`],
    ['unknown fields of an event', withEvents(`{"at":0,"event":{"type":"progress",${repeated('"a":0', 1.5 * MB)}}}`)],
    ['an event of one long text', withEvents(at({ ...checked, text: 'x'.repeat(bytes) }))],
    ['a file that is cut off', samples(bytes).slice(0, -20)],
    ['a wrong last event', samples(bytes).replace('"run.ended"', '"run.over"')],
    ['no JSON', 'x'.repeat(bytes)],
    ['white space', ' '.repeat(bytes)],
    ['lines', '\n'.repeat(bytes)],
    ['more than the limit', ' '.repeat(64 * MB)],
  ]
  return [
    ...refused.map(([what, text]) => ({ what, bytes: Buffer.from(text), valid: false })),
    { what: 'one repeat and nothing but samples', bytes: validFile(bytes), valid: true },
  ]
}
