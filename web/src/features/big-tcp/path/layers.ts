/** Compares the three layers of a datapath's state and describes the result. Pure. */
import { i18n } from '@expresslane/shared/base/language'
import { maxOf, minOf } from '@expresslane/shared/measure/extremes'
import { compareLayers, intendedSize } from '@expresslane/shared/features/big-tcp/layers'
import { isOn } from '@expresslane/shared/features/big-tcp/settings'
import { gsoLimit, type AgentReport, type DatapathState, type Reading } from '@expresslane/shared/testbed/reading'
import { familyName, type Bytes, type Family } from '@expresslane/shared/base/units'
import { listed } from '../../../words/format.ts'
import { sizeView } from './path-model.ts'

export type LayerTone = 'good' | 'warn' | 'bad' | 'unknown'

/** The report of one layer, compared with the intended settings. Its name and its word are marked texts. */
export interface LayerRow {
  readonly name: 'Intended' | 'Agents' | 'Kernel'
  readonly says: string
  /** Null for the intended settings, which the other layers are compared with. */
  readonly verdict: { readonly tone: LayerTone; readonly word: string } | null
}

export interface LayersView {
  readonly tone: LayerTone
  readonly title: string
  readonly text: string
  readonly rows: readonly LayerRow[]
}

export interface AgentView {
  readonly node: string
  readonly says: 'on' | 'off' | 'unknown'
  /** The largest packet that it reports; null if it reports none. */
  readonly maxGso: string | null
  /** Null if it could not be read. */
  readonly asIntended: boolean | null
  readonly overriddenBy: string | null
  readonly unreadable: string | null
}

const agrees = { tone: 'good', word: /*i18n*/ 'agrees' } as const
const differs = { tone: 'bad', word: /*i18n*/ 'differs' } as const
const unknown = { tone: 'unknown', word: /*i18n*/ 'partly unknown' } as const

/** A marked text. */
function onOff(on: boolean): 'on' | 'off' {
  return on ? /*i18n*/ 'on' : /*i18n*/ 'off'
}

/** The report of each agent; agents that differ from the intended settings come first. */
export function agentViews(state: DatapathState, of: Family): AgentView[] {
  const views = (state.agents ?? []).map(({ node, settings, maxGso, overriddenBy, unreadable }: AgentReport) => ({
    node,
    says: settings === null ? ('unknown' as const) : onOff(isOn(settings, of)),
    maxGso: maxGso[of] === null ? null : sizeView(maxGso[of]).text,
    asIntended: settings === null ? null : isOn(settings, of) === isOn(state.settings, of),
    overriddenBy,
    unreadable: settings === null ? (unreadable ?? i18n.t('It did not report its settings.')) : unreadable,
  }))
  return views.toSorted((a, b) => Number(a.asIntended === true) - Number(b.asIntended === true))
}

function agentsRow(state: DatapathState, of: Family): LayerRow[] {
  if (state.agents === null) return []
  const agents = agentViews(state, of)
  const alike = agents.filter(({ asIntended }) => asIntended === true).length
  const silent = agents.filter(({ asIntended }) => asIntended === null).length
  const other = agents.length - alike - silent
  const want = isOn(state.settings, of)
  const parts = [
    i18n.t('{alike, plural, one {# of {agents} reports {state}} other {# of {agents} report {state}}}', {
      alike,
      agents: agents.length,
      state: i18n.t(onOff(want)),
    }),
    ...(other > 0 ? [`${other} ${i18n.t(onOff(!want))}`] : []),
    ...(silent > 0 ? [i18n.t('{count} not read', { count: silent })] : []),
  ]
  const verdict = other > 0 ? differs : silent > 0 || agents.length === 0 ? unknown : agrees
  return [{ name: /*i18n*/ 'Agents', says: parts.join(', '), verdict }]
}

/** `192K`, or `64K to 192K` where they differ. */
function spread(devices: readonly Reading[], of: Family): string {
  const sizes = devices.flatMap((device) => gsoLimit(device, of) ?? [])
  if (sizes.length === 0) return i18n.t('unknown')
  const [least, most] = [minOf(sizes) as Bytes, maxOf(sizes) as Bytes]
  const range =
    least === most
      ? sizeView(least).text
      : i18n.t('{least} to {most}', { least: sizeView(least).text, most: sizeView(most).text })
  return sizes.length === devices.length ? range : i18n.t('{sizes}, some unknown', { sizes: range })
}

function kernelRow(state: DatapathState, of: Family): LayerRow {
  const native = state.kernel.filter((device) => device.native)
  const ends = state.kernel.filter((device) => !device.native && device.role !== 'wire')
  const parts = [
    ...(native.length > 0 ? [i18n.t('nodes {sizes}', { sizes: spread(native, of) })] : []),
    ...(ends.length > 0 ? [i18n.t('pods {sizes}', { sizes: spread(ends, of) })] : []),
    ...(state.unread.length > 0 ? [i18n.t('{count} not read', { count: state.unread.length })] : []),
  ]
  const says = parts.length === 0 ? i18n.t('no device could be read') : parts.join(', ')
  const want = (device: Reading): Bytes | null => intendedSize(state, of, device.node)
  const missing = (device: Reading): boolean => gsoLimit(device, of) === null || want(device) === null
  const off = (device: Reading): boolean => !missing(device) && gsoLimit(device, of) !== want(device)
  const partly = state.unread.length > 0 || native.length === 0 || [...native, ...ends].some(missing)
  const row = (verdict: LayerRow['verdict']): LayerRow => ({ name: /*i18n*/ 'Kernel', says, verdict })
  if (native.some(off)) return row(differs)
  if (partly) return row(unknown)
  return row(ends.some(off) ? { tone: 'warn', word: /*i18n*/ 'pods differ' } : agrees)
}

function unknownWhy(state: DatapathState, of: Family): string {
  const silent = agentViews(state, of).filter(({ says }) => says === 'unknown')
  const why = silent[0]?.unreadable ?? null
  if (silent.length > 0) {
    const nodes = listed(silent.map(({ node }) => node))
    return why === null
      ? i18n.t('Could not be read: the agent on {nodes}.', { nodes })
      : i18n.t('Could not be read: the agent on {nodes} ({why}).', { nodes, why })
  }
  if (state.unread.length > 0)
    return i18n.t('Could not be read: {places}.', { places: listed(state.unread.map(({ where }) => where)) })
  return i18n.t('At least one device did not report its size.')
}

/** Whether an agent reports another setting; then unknown agents do not matter. */
function hasDrift(state: DatapathState, of: Family): boolean {
  return agentViews(state, of).some(({ asIntended }) => asIntended === false)
}

/** Switching again does not help if a node has its own configuration. */
function agentsWords({ family, state, size }: ReturnType<typeof valuesOf>, drifting: readonly AgentView[]): string {
  const nodes = listed(drifting.map(({ node }) => node))
  const by = listed([...new Set(drifting.flatMap(({ overriddenBy }) => overriddenBy ?? []))])
  return by === ''
    ? i18n.t(
        'BIG TCP over {family} {state, select, on {should be on} other {should be off}} ({size}), but the agent on {nodes} reports another setting. Switch it again, or press Reset.',
        { family, state, size, nodes },
      )
    : i18n.t(
        'BIG TCP over {family} {state, select, on {should be on} other {should be off}} ({size}), but the agent on {nodes} reports another setting, because {by} overrides the setting there. Remove that override.',
        { family, state, size, nodes, by },
      )
}

/** The values of the texts. Devices between the nodes do not count. */
function valuesOf(state: DatapathState, of: Family) {
  const distinct = (role: Reading['role']): number =>
    new Set(state.kernel.filter((device) => device.role === role).map(({ where }) => where)).size
  return {
    family: familyName[of],
    state: onOff(isOn(state.settings, of)),
    size: sizeView(intendedSize(state, of)).text,
    nodes: distinct('node'),
    pods: distinct('pod'),
  }
}

/** Describes whether the intended settings, the agents and the kernel agree. */
export function layersView(state: DatapathState, of: Family): LayersView {
  const values = valuesOf(state, of)
  const rows: LayerRow[] = [
    {
      name: /*i18n*/ 'Intended',
      says: `${i18n.t(values.state)}, ${intendedSize(state, of) === null ? i18n.t('size unknown') : values.size}`,
      verdict: null,
    },
    ...agentsRow(state, of),
    kernelRow(state, of),
  ]
  const verdict = hasDrift(state, of) ? 'differ' : compareLayers(state, of)
  switch (verdict) {
    case 'agree': {
      const title = state.agents === null ? i18n.t('intended = kernel') : i18n.t('intended = agents = kernel')
      const text =
        values.pods === 0
          ? i18n.t(
              'BIG TCP over {family} {state, select, on {is on} other {is off}} ({size}) on {nodes, plural, one {# node} other {# nodes}}.',
              values,
            )
          : i18n.t(
              'BIG TCP over {family} {state, select, on {is on} other {is off}} ({size}) on {nodes, plural, one {# node} other {# nodes}} and {pods, plural, one {# pod} other {# pods}}.',
              values,
            )
      return { tone: 'good', title, text, rows }
    }
    case 'pods-differ':
      return {
        tone: 'warn',
        title: i18n.t('Pods differ'),
        text: i18n.t(
          'BIG TCP over {family} {state, select, on {is on} other {is off}} ({size}) on {nodes, plural, one {# node} other {# nodes}}, but {pods, plural, one {# pod was created before the change and keeps its old size} other {# pods were created before the change and keep their old sizes}}. Deploy new pods to apply the change.',
          values,
        ),
        rows,
      }
    case 'differ': {
      const drifting = agentViews(state, of).filter(({ asIntended }) => asIntended === false)
      return drifting.length > 0
        ? { tone: 'bad', title: i18n.t('Intended ≠ agents'), text: agentsWords(values, drifting), rows }
        : {
            tone: 'bad',
            title: i18n.t('Intended ≠ kernel'),
            text: i18n.t(
              'BIG TCP over {family} {state, select, on {should be on} other {should be off}} ({size}), but not every device of the nodes has that size. Switch it again, or press Reset.',
              values,
            ),
            rows,
          }
    }
    case 'unknown': {
      const intent = i18n.t(
        'BIG TCP over {family} {state, select, on {should be on} other {should be off}} ({size}).',
        values,
      )
      return { tone: 'unknown', title: i18n.t('Unknown'), text: `${intent} ${unknownWhy(state, of)}`, rows }
    }
  }
}
