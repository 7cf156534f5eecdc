/** What somebody chose on the Bench page, as typed, and the plan that it makes. Pure. */
import { toolName, type Tool } from '@expresslane/shared/measure/benchmark'
import { experimentPlan, type Design, type ExperimentPlan, type TestCase } from '@expresslane/shared/measure/experiment'
import type { TestbedView } from '@expresslane/shared/wire/protocol'
import { familyName, formatSize, bytes, type Family } from '@expresslane/shared/measure/units'
import { armPlans, type ArmChoice } from './arm-choice.ts'
import { parseSizes, sizeName } from './sizes.ts'

export interface BenchChoice {
  readonly tool: Tool
  readonly families: readonly Family[]
  /** `80k`, or several: `1, 16k, 80k`. */
  readonly sizes: string
  /** Empty for as large as the request. */
  readonly response: string
  readonly arms: readonly ArmChoice[]
  readonly design: Design
}

export type BenchField = 'families' | 'sizes' | 'response' | 'arms' | 'tool' | 'design'

export interface Issue {
  readonly field: BenchField
  readonly message: string
}

export interface Draft {
  /** Null while something is in its way. */
  readonly plan: ExperimentPlan | null
  readonly issues: readonly Issue[]
}

const MOST_CASES = 16
const MOST_BYTES = 1_048_576

function requestCases({ families, sizes, response }: BenchChoice, issues: Issue[]): object[] {
  const requests = parseSizes(sizes)
  const answers = response.trim() === '' ? null : parseSizes(response)
  const say = (field: BenchField, message: string): void => void issues.push({ field, message })
  for (const [field, parsed] of [
    ['sizes', requests],
    ['response', answers],
  ] as const) {
    if (parsed === null) continue
    for (const word of parsed.unreadable) say(field, `“${word}” is no size. Write 80000, 80k or 64KiB.`)
    if (parsed.sizes.some((size) => size < 1 || size > MOST_BYTES)) say(field, 'Sizes go from 1 byte to 1 MiB.')
  }
  if (requests.sizes.length === 0 && requests.unreadable.length === 0)
    say('sizes', 'Write a request size, such as 80k.')
  if (answers !== null && answers.sizes.length > 1)
    say('response', 'One response size, or none for the same as the request.')
  return families.flatMap((family) =>
    requests.sizes.map((requestBytes) => {
      const responseBytes = answers?.sizes[0] ?? requestBytes
      const alike = responseBytes === requestBytes
      const size = alike ? sizeName(requestBytes) : `${sizeName(requestBytes)} / ${sizeName(responseBytes)}`
      return {
        id: alike ? `${family}-${requestBytes}` : `${family}-${requestBytes}-${responseBytes}`,
        label: families.length > 1 ? `${size} over ${familyName[family]}` : size,
        family,
        benchmark: { tool: 'tcp-rr', requestBytes, responseBytes },
      }
    }),
  )
}

function streamCases({ families, tool }: BenchChoice): object[] {
  return families.map((family) => ({
    id: `${family}-${tool}`,
    label: `One stream over ${familyName[family]}`,
    family,
    benchmark: { tool, omitSeconds: tool === 'iperf3' ? 1 : 0 },
  }))
}

/** Why this testbed can't do it, in its own words. */
function lacking({ capabilities, lacks }: TestbedView, need: TestbedView['capabilities'][number]): string | null {
  if (capabilities.includes(need)) return null
  return lacks.find((one) => one.capability === need)?.reason ?? `This testbed does not offer ${need}.`
}

/** The largest limit that all native devices of the path take; null where one does not tell. */
function largestLimit(testbed: TestbedView | null): number | null {
  const native = (testbed?.datapath?.kernel ?? []).filter((device) => device.native)
  const limits = native.map(({ tsoMaxSize }) => tsoMaxSize).filter((limit) => limit !== null)
  return limits.length === 0 || limits.length < native.length ? null : Math.min(...limits)
}

function refusals({ arms, families, tool }: BenchChoice, testbed: TestbedView): Issue[] {
  const issues: Issue[] = []
  const need = (field: BenchField, capability: TestbedView['capabilities'][number], wanted: boolean): void => {
    const reason = wanted ? lacking(testbed, capability) : null
    if (reason !== null) issues.push({ field, message: reason })
  }
  const switched = arms.some(({ bigTcp }) => bigTcp)
  for (const family of families) need('families', `big-tcp-${family}`, switched)
  need('tool', 'iperf3', tool === 'iperf3')
  need(
    'arms',
    'size-limit',
    arms.some(({ bigTcp, limit }) => bigTcp && limit.trim() !== ''),
  )
  need(
    'arms',
    'pod-mtu',
    arms.some(({ mtu }) => mtu.trim() !== ''),
  )
  return issues
}

/** @param testbed null while none was read: then what it lacks is not told yet */
export function draftOf(choice: BenchChoice, testbed: TestbedView | null): Draft {
  const issues: Issue[] = []
  const { tool, families, design } = choice
  if (families.length === 0) issues.push({ field: 'families', message: 'Choose an address family.' })
  const cases = tool === 'tcp-rr' ? requestCases(choice, issues) : streamCases(choice)
  if (cases.length > MOST_CASES) {
    const message = `These are ${cases.length} benchmarks (families × sizes); ${MOST_CASES} is the most.`
    issues.push({ field: 'sizes', message })
  }
  const { arms, messages } = armPlans(choice.arms)
  issues.push(...messages.map((message): Issue => ({ field: 'arms', message })))
  const largest = largestLimit(testbed)
  if (largest !== null && arms.some(({ limit }) => limit !== null && limit > largest)) {
    const message = `The devices here take ${formatSize(bytes.parse(largest))} (${largest} bytes) at the most.`
    issues.push({ field: 'arms', message })
  }
  if (design.budget !== null && design.order === 'sequential') {
    issues.push({ field: 'design', message: 'To go on until it is sure enough the arms must take turns.' })
  }
  if (testbed !== null) issues.push(...refusals(choice, testbed))
  if (issues.length > 0) return { plan: null, issues }
  return { plan: experimentPlan.parse({ arms, cases, design }), issues }
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}

function shortSize(size: number): string {
  return size >= 1_000 && size % 1_000 === 0 ? `${size / 1_000}k` : `${size}`
}

/** A plan as the form shows it: every family with every size. */
export function choiceOf({ arms, cases, design }: ExperimentPlan): BenchChoice {
  const [first] = cases
  const requests = cases.flatMap(({ benchmark }) => (benchmark.tool === 'tcp-rr' ? [benchmark] : []))
  const same = requests.every(({ requestBytes, responseBytes }) => requestBytes === responseBytes)
  return {
    tool: first?.benchmark.tool ?? 'tcp-rr',
    families: unique(cases.map(({ family }: TestCase) => family)),
    sizes:
      requests.length === 0 ? '80k' : unique(requests.map(({ requestBytes }) => shortSize(requestBytes))).join(', '),
    response: same ? '' : unique(requests.map(({ responseBytes }) => shortSize(responseBytes))).join(', '),
    arms: arms.map(({ bigTcp, limit, mtu }) => ({
      bigTcp,
      limit: limit === null ? '' : formatSize(limit),
      mtu: mtu === null ? '' : `${mtu}`,
    })),
    design,
  }
}

/** What the tools are called in a list. */
export const tools: readonly (readonly [Tool, string])[] = [
  ['tcp-rr', `${toolName['tcp-rr']}: requests and responses`],
  ['tcp-stream', `${toolName['tcp-stream']}: one stream`],
  ['iperf3', `${toolName.iperf3}: one stream`],
]
