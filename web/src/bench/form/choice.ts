/** What somebody chose on the Bench page, as typed, and the plan that it makes. Pure. */
import { findKind } from '@expresslane/shared/features/metrics'
import type { ToolId } from '@expresslane/shared/measure/benchmark'
import { tcpRr, tcpRrBenchmark } from '@expresslane/shared/measure/benchmarks/tcp-rr'
import { capitalized } from '@expresslane/shared/report/words'
import type { Feature } from '@expresslane/shared/features/feature'
import { features } from '@expresslane/shared/features/registry'
import { allSettings, capabilitiesFor, featuresOf, findFeature } from '@expresslane/shared/features/settings'
import {
  experimentPlan,
  type ArmPlan,
  type Design,
  type ExperimentPlan,
  type TestCase,
} from '@expresslane/shared/measure/experiment'
import type { TestbedView } from '@expresslane/shared/wire/protocol'
import { familyName, type Family } from '@expresslane/shared/measure/units'
import { armPlans } from './arm-choice.ts'
import { chosenFrom, type Chosen } from './setting-controls.ts'
import { parseSizes, sizeName } from './sizes.ts'

export interface BenchChoice {
  /** What the arms switch. */
  readonly feature: string
  readonly tool: ToolId
  readonly families: readonly Family[]
  /** `80k`, or several: `1, 16k, 80k`. */
  readonly sizes: string
  /** Empty for as large as the request. */
  readonly response: string
  readonly arms: readonly Chosen[]
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

/** Does the tool send requests, whose sizes are up to the plan? */
export function takesSizes(tool: ToolId): boolean {
  return 'requestBytes' in (findKind(tool)?.usual ?? {})
}

function requestCases({ tool, families, sizes, response }: BenchChoice, issues: Issue[]): object[] {
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
        benchmark: { ...findKind(tool)?.usual, requestBytes, responseBytes },
      }
    }),
  )
}

/** A case a family, with the parameters that the tool begins with. */
function usualCases({ families, tool }: BenchChoice): object[] {
  const kind = findKind(tool)
  if (kind === null) return []
  return families.map((family) => ({
    id: `${family}-${tool}`,
    label: capitalized(kind.subject(kind.usual, family)),
    family,
    benchmark: kind.usual,
  }))
}

/** Why this testbed can't do it, in its own words. */
function lacking({ capabilities, lacks }: TestbedView, need: TestbedView['capabilities'][number]): string | null {
  if (capabilities.includes(need)) return null
  return lacks.find((one) => one.capability === need)?.reason ?? `This testbed does not offer ${need}.`
}

function refusals({ tool }: BenchChoice, arms: readonly ArmPlan[], testbed: TestbedView): Issue[] {
  const needed = new Set(arms.flatMap(({ settings }) => capabilitiesFor(settings)))
  const settings = allSettings.flatMap(({ capability, family }): Issue[] => {
    const message = capability !== null && needed.has(capability) ? lacking(testbed, capability) : null
    return message === null ? [] : [{ field: family === undefined ? 'arms' : 'families', message }]
  })
  const need = findKind(tool)?.capability ?? null
  const noTool = need === null ? null : lacking(testbed, need)
  return [...settings, ...(noTool === null ? [] : [{ field: 'tool', message: noTool } as const])]
}

/** What the devices of the path say against the arms' values. */
function beyondDevices(arms: readonly ArmPlan[], testbed: TestbedView | null): Issue[] {
  const path = testbed?.datapath ?? null
  if (path === null) return []
  const messages = allSettings.flatMap(({ id, refusedBy }) =>
    arms.flatMap(({ settings }) => refusedBy?.(settings[id] ?? null, path) ?? []),
  )
  return [...new Set(messages)].map((message) => ({ field: 'arms', message }))
}

/** Always one: the registry's first where the choice names none that is known. */
export function featureOf({ feature }: Pick<BenchChoice, 'feature'>): Feature {
  return findFeature(feature) ?? features[0]
}

/** @param testbed null while none was read: then what it lacks is not told yet */
export function draftOf(choice: BenchChoice, testbed: TestbedView | null): Draft {
  const issues: Issue[] = []
  const { tool, families, design } = choice
  if (families.length === 0) issues.push({ field: 'families', message: 'Choose an address family.' })
  const cases = takesSizes(tool) ? requestCases(choice, issues) : usualCases(choice)
  if (cases.length > MOST_CASES) {
    const message = `These are ${cases.length} benchmarks (families × sizes); ${MOST_CASES} is the most.`
    issues.push({ field: 'sizes', message })
  }
  const { arms, messages } = armPlans(featureOf(choice), choice.arms, families)
  issues.push(...messages.map((message): Issue => ({ field: 'arms', message })), ...beyondDevices(arms, testbed))
  if (design.budget !== null && design.order === 'sequential') {
    issues.push({ field: 'design', message: 'To go on until it is sure enough the arms must take turns.' })
  }
  if (testbed !== null) issues.push(...refusals(choice, arms, testbed))
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
  const feature = arms.flatMap(({ settings }) => featuresOf(settings))[0] ?? features[0]
  const [first] = cases
  const requests = cases.flatMap(({ benchmark }) => tcpRrBenchmark.safeParse(benchmark).data ?? [])
  const same = requests.every(({ requestBytes, responseBytes }) => requestBytes === responseBytes)
  return {
    feature: feature.id,
    tool: first?.benchmark.tool ?? tcpRr.tool,
    families: unique(cases.map(({ family }: TestCase) => family)),
    sizes:
      requests.length === 0 ? '80k' : unique(requests.map(({ requestBytes }) => shortSize(requestBytes))).join(', '),
    response: same ? '' : unique(requests.map(({ responseBytes }) => shortSize(responseBytes))).join(', '),
    arms: arms.map(({ settings }) => chosenFrom(feature, settings)),
    design,
  }
}

/** The tools of the feature that the arms switch, and what they are called in a list. */
export function toolsOf(choice: Pick<BenchChoice, 'feature'>): (readonly [ToolId, string])[] {
  return featureOf(choice).benchmarks.map(({ tool, name, does }) => [tool, `${name}: ${does}`])
}
