/** The input on the Bench page as typed, and the plan that results from it. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import { findTool } from '@expresslane/shared/features/metrics'
import type { ToolId } from '@expresslane/shared/measure/benchmark'
import { tcpRr, tcpRrBenchmark } from '@expresslane/shared/tools/netperf/tcp-rr'
import { capitalized } from '@expresslane/shared/features/words'
import type { Feature } from '@expresslane/shared/features/feature'
import { features } from '@expresslane/shared/features/registry'
import { planIssues } from '@expresslane/shared/features/plan'
import {
  allSettings,
  capabilityFor,
  featuresOf,
  findFeature,
  valuesNotOffered,
} from '@expresslane/shared/features/settings'
import {
  experimentPlan,
  type ArmPlan,
  type Design,
  type ExperimentPlan,
  type TestCase,
} from '@expresslane/shared/measure/experiment'
import type { TestbedView } from '@expresslane/shared/wire/protocol'
import { familyName, type Family } from '@expresslane/shared/base/units'
import { whyLacking } from '../../words/testbeds.ts'
import { armPlans } from './arm-choice.ts'
import { chosenFrom, type Chosen } from './setting-controls.ts'
import { parseSizes, sizeName } from './sizes.ts'

export interface BenchChoice {
  /** The feature that the arms switch. */
  readonly feature: string
  readonly tool: ToolId
  readonly families: readonly Family[]
  /** `80k`, or several: `1, 16k, 80k`. */
  readonly sizes: string
  /** Empty for the size of the request. */
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
  /** Null while there are issues. */
  readonly plan: ExperimentPlan | null
  readonly issues: readonly Issue[]
}

const MOST_CASES = 16
const MOST_BYTES = 1_048_576

/** Whether the tool sends requests of a size that the plan sets. */
export function takesSizes(tool: ToolId): boolean {
  return 'requestBytes' in (findTool(tool)?.usual ?? {})
}

function requestCases({ tool, families, sizes, response }: BenchChoice, issues: Issue[]): object[] {
  const requests = parseSizes(sizes)
  const answers = response.trim() === '' ? null : parseSizes(response)
  const report = (field: BenchField, message: string): void => void issues.push({ field, message })
  for (const [field, parsed] of [
    ['sizes', requests],
    ['response', answers],
  ] as const) {
    if (parsed === null) continue
    for (const word of parsed.unreadable)
      report(field, i18n.t('“{word}” is not a size. Write 80000, 80k or 64KiB.', { word }))
    if (parsed.sizes.some((size) => size < 1 || size > MOST_BYTES))
      report(field, i18n.t('A size must be between 1 byte and 1 MiB.'))
  }
  if (requests.sizes.length === 0 && requests.unreadable.length === 0)
    report('sizes', i18n.t('Enter a request size, such as 80k.'))
  if (answers !== null && answers.sizes.length > 1)
    report('response', i18n.t('Enter one response size, or leave the field empty to use the size of the request.'))
  return families.flatMap((family) =>
    requests.sizes.map((requestBytes) => {
      const responseBytes = answers?.sizes[0] ?? requestBytes
      const alike = responseBytes === requestBytes
      const size = alike ? sizeName(requestBytes) : `${sizeName(requestBytes)} / ${sizeName(responseBytes)}`
      return {
        id: alike ? `${family}-${requestBytes}` : `${family}-${requestBytes}-${responseBytes}`,
        label: families.length > 1 ? `${size} over ${familyName[family]}` : size,
        family,
        benchmark: { ...findTool(tool)?.usual, requestBytes, responseBytes },
      }
    }),
  )
}

/** A case per family, with the default parameters of the tool. */
function usualCases({ families, tool }: BenchChoice): object[] {
  const kind = findTool(tool)
  if (kind === null) return []
  return families.map((family) => ({
    id: `${family}-${tool}`,
    label: capitalized(kind.subject(kind.usual, family)),
    family,
    benchmark: kind.usual,
  }))
}

function refusals({ tool }: BenchChoice, arms: readonly ArmPlan[], testbed: TestbedView): Issue[] {
  const settings = allSettings().flatMap((setting): Issue[] => {
    const needs = arms.flatMap(({ settings: { [setting.id]: value } }) =>
      value === undefined ? [] : (capabilityFor(setting, value) ?? []),
    )
    const messages = [...new Set(needs)].flatMap((need) => whyLacking(need, testbed) ?? [])
    return messages.map((message) => ({ field: setting.family === undefined ? 'arms' : 'families', message }))
  })
  const absent = new Set(arms.flatMap(({ settings: of }) => valuesNotOffered(of, testbed.choices)))
  const missing = [...absent].map((message): Issue => ({ field: 'arms', message }))
  const need = findTool(tool)?.capability ?? null
  const noTool = need === null ? null : whyLacking(need, testbed)
  return [...settings, ...missing, ...(noTool === null ? [] : [{ field: 'tool', message: noTool } as const])]
}

/** The values of the arms that the devices of the path do not allow. */
function beyondDevices(arms: readonly ArmPlan[], testbed: TestbedView | null): Issue[] {
  const path = testbed?.datapath ?? null
  if (path === null) return []
  const messages = allSettings().flatMap(({ id, refusedBy }) =>
    arms.flatMap(({ settings }) => refusedBy?.(settings[id] ?? null, path) ?? []),
  )
  return [...new Set(messages)].map((message) => ({ field: 'arms', message }))
}

/** The chosen feature; the first of the registry if the choice names an unknown one. */
export function featureOf({ feature }: Pick<BenchChoice, 'feature'>): Feature {
  return findFeature(feature) ?? features.all()[0]
}

/** @param testbed null before it is read: the issues then leave out the testbed's lacks */
export function draftOf(choice: BenchChoice, testbed: TestbedView | null): Draft {
  const issues: Issue[] = []
  const { tool, families, design } = choice
  if (families.length === 0) issues.push({ field: 'families', message: i18n.t('Choose an address family.') })
  const cases = takesSizes(tool) ? requestCases(choice, issues) : usualCases(choice)
  if (cases.length > MOST_CASES) {
    const message = i18n.t('{count} benchmarks (families × sizes) are too many: choose at most {most}.', {
      count: cases.length,
      most: MOST_CASES,
    })
    issues.push({ field: 'sizes', message })
  }
  const { arms, messages } = armPlans(featureOf(choice), choice.arms, families)
  for (const message of messages) issues.push({ field: 'arms', message })
  for (const one of beyondDevices(arms, testbed)) issues.push(one)
  if (design.budget !== null && design.order === 'sequential') {
    issues.push({
      field: 'design',
      message: i18n.t('To repeat until the result is precise enough, the arms must take turns. Change the order.'),
    })
  }
  if (testbed !== null) for (const one of refusals(choice, arms, testbed)) issues.push(one)
  if (issues.length > 0) return { plan: null, issues }
  const plan = experimentPlan.parse({ arms, cases, design })
  const wrong = planIssues(plan)
    .filter(({ path }) => path[0] === 'design')
    .map(({ message }): Issue => ({ field: 'design', message: `${message}.` }))
  return wrong.length > 0 ? { plan: null, issues: wrong } : { plan, issues }
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}

function shortSize(size: number): string {
  return size >= 1_000 && size % 1_000 === 0 ? `${size / 1_000}k` : `${size}`
}

/** The input that produces a plan: every family with every size. */
export function choiceOf({ arms, cases, design }: ExperimentPlan): BenchChoice {
  const feature = arms.flatMap(({ settings }) => featuresOf(settings))[0] ?? features.all()[0]
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

/** Another tool, with seconds that it can measure. */
export function withTool(choice: BenchChoice, tool: ToolId): BenchChoice {
  const { design } = choice
  const seconds = findTool(tool)?.wholeSeconds === true ? Math.ceil(design.seconds) : design.seconds
  return { ...choice, tool, design: { ...design, seconds } }
}

/** Another feature to switch: the arms of its first preset, and one of its tools. */
export function withFeature(choice: BenchChoice, feature: string): BenchChoice {
  const tools = toolsOf({ feature }).map(([tool]) => tool)
  const tool = tools.includes(choice.tool) ? choice.tool : (tools[0] ?? choice.tool)
  const of = featureOf({ feature })
  const arms = of.presets?.[0]?.arms.map((settings) => chosenFrom(of, settings)) ?? [{}, {}]
  return { ...withTool(choice, tool), feature, arms }
}

/** The tools of the chosen feature, with their names in a list. */
export function toolsOf(choice: Pick<BenchChoice, 'feature'>): (readonly [ToolId, string])[] {
  return featureOf(choice).benchmarks.map(({ tool, name, does }) => [tool, `${name}: ${does}`])
}
