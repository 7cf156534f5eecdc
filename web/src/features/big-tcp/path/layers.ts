/** Compares the three layers of a datapath's state and describes the result. Pure. */
import { maxOf, minOf } from '@expresslane/shared/measure/extremes'
import { compareLayers, intendedSize } from '@expresslane/shared/features/big-tcp/layers'
import { isOn } from '@expresslane/shared/features/big-tcp/settings'
import { gsoLimit, type AgentReport, type DatapathState, type Reading } from '@expresslane/shared/testbed/reading'
import { familyName, type Bytes, type Family } from '@expresslane/shared/base/units'
import { listed } from '../../../words/format.ts'
import { sizeView } from './path-model.ts'

export type LayerTone = 'good' | 'warn' | 'bad' | 'unknown'

/** The report of one layer, compared with the intended settings. */
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

const agrees = { tone: 'good', word: 'agrees' } as const
const differs = { tone: 'bad', word: 'differs' } as const
const unknown = { tone: 'unknown', word: 'partly unknown' } as const

function onOff(on: boolean): 'on' | 'off' {
  return on ? 'on' : 'off'
}

/** The report of each agent; agents that differ from the intended settings come first. */
export function agentViews(state: DatapathState, of: Family): AgentView[] {
  const views = (state.agents ?? []).map(({ node, settings, maxGso, overriddenBy, unreadable }: AgentReport) => ({
    node,
    says: settings === null ? ('unknown' as const) : onOff(isOn(settings, of)),
    maxGso: maxGso[of] === null ? null : sizeView(maxGso[of]).text,
    asIntended: settings === null ? null : isOn(settings, of) === isOn(state.settings, of),
    overriddenBy,
    unreadable: settings === null ? (unreadable ?? 'It did not report its settings.') : unreadable,
  }))
  return views.toSorted((a, b) => Number(a.asIntended === true) - Number(b.asIntended === true))
}

function agentsRow(state: DatapathState, of: Family): LayerRow[] {
  if (state.agents === null) return []
  const agents = agentViews(state, of)
  const alike = agents.filter(({ asIntended }) => asIntended === true).length
  const silent = agents.filter(({ asIntended }) => asIntended === null).length
  const other = agents.length - alike - silent
  const parts = [
    `${alike} of ${agents.length} ${alike === 1 ? 'reports' : 'report'} ${onOff(isOn(state.settings, of))}`,
    ...(other > 0 ? [`${other} ${onOff(!isOn(state.settings, of))}`] : []),
    ...(silent > 0 ? [`${silent} not read`] : []),
  ]
  const verdict = other > 0 ? differs : silent > 0 || agents.length === 0 ? unknown : agrees
  return [{ name: 'Agents', says: parts.join(', '), verdict }]
}

/** `192K`, or `64K to 192K` where they differ. */
function spread(devices: readonly Reading[], of: Family): string {
  const sizes = devices.flatMap((device) => gsoLimit(device, of) ?? [])
  if (sizes.length === 0) return 'unknown'
  const [least, most] = [minOf(sizes) as Bytes, maxOf(sizes) as Bytes]
  const range = least === most ? sizeView(least).text : `${sizeView(least).text} to ${sizeView(most).text}`
  return sizes.length === devices.length ? range : `${range}, some unknown`
}

function kernelRow(state: DatapathState, of: Family): LayerRow {
  const native = state.kernel.filter((device) => device.native)
  const ends = state.kernel.filter((device) => !device.native && device.role !== 'wire')
  const parts = [
    ...(native.length > 0 ? [`nodes ${spread(native, of)}`] : []),
    ...(ends.length > 0 ? [`pods ${spread(ends, of)}`] : []),
    ...(state.unread.length > 0 ? [`${state.unread.length} not read`] : []),
  ]
  const says = parts.length === 0 ? 'no device could be read' : parts.join(', ')
  const want = (device: Reading): Bytes | null => intendedSize(state, of, device.node)
  const missing = (device: Reading): boolean => gsoLimit(device, of) === null || want(device) === null
  const off = (device: Reading): boolean => !missing(device) && gsoLimit(device, of) !== want(device)
  const partly = state.unread.length > 0 || native.length === 0 || [...native, ...ends].some(missing)
  if (native.some(off)) return { name: 'Kernel', says, verdict: differs }
  if (partly) return { name: 'Kernel', says, verdict: unknown }
  if (ends.some(off)) return { name: 'Kernel', says, verdict: { tone: 'warn', word: 'pods differ' } }
  return { name: 'Kernel', says, verdict: agrees }
}

function unknownWhy(state: DatapathState, of: Family): string {
  const silent = agentViews(state, of).filter(({ says }) => says === 'unknown')
  const why = silent[0]?.unreadable ?? null
  if (silent.length > 0) {
    return `Could not be read: the agent on ${listed(silent.map(({ node }) => node))}${why === null ? '' : ` (${why})`}.`
  }
  if (state.unread.length > 0) return `Could not be read: ${listed(state.unread.map(({ where }) => where))}.`
  return 'At least one device did not report its size.'
}

/** Whether an agent reports another setting; then unknown agents do not matter. */
function hasDrift(state: DatapathState, of: Family): boolean {
  return agentViews(state, of).some(({ asIntended }) => asIntended === false)
}

/** Switching again does not help if a node has its own configuration. */
function remedyFor(drifting: readonly AgentView[]): string {
  const by = listed([...new Set(drifting.flatMap(({ overriddenBy }) => overriddenBy ?? []))])
  return by === ''
    ? '. Switch it again, or press Reset.'
    : `, because ${by} overrides the setting there. Remove that override.`
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

/** The number of nodes and pods; devices between the nodes do not count. */
function placesOf(state: DatapathState): { readonly nodes: number; readonly pods: number } {
  const distinct = (role: Reading['role']): number =>
    new Set(state.kernel.filter((device) => device.role === role).map(({ where }) => where)).size
  return { nodes: distinct('node'), pods: distinct('pod') }
}

/** Describes whether the intended settings, the agents and the kernel agree. */
export function layersView(state: DatapathState, of: Family): LayersView {
  const want = intendedSize(state, of)
  const intended = `${onOff(isOn(state.settings, of))}, ${sizeView(want).text}`
  const rows: LayerRow[] = [
    {
      name: 'Intended',
      says: want === null ? `${onOff(isOn(state.settings, of))}, size unknown` : intended,
      verdict: null,
    },
    ...agentsRow(state, of),
    kernelRow(state, of),
  ]
  const places = placesOf(state)
  const { pods } = places
  const subject = `BIG TCP over ${familyName[of]}`
  const setting = `${onOff(isOn(state.settings, of))} (${sizeView(want).text})`
  const onNodes = counted(places.nodes, 'node')
  const intent = `${subject} should be ${setting}`
  const verdict = hasDrift(state, of) ? 'differ' : compareLayers(state, of)
  switch (verdict) {
    case 'agree': {
      const title = state.agents === null ? 'intended = kernel' : 'intended = agents = kernel'
      const where = pods === 0 ? onNodes : `${onNodes} and ${counted(pods, 'pod')}`
      return { tone: 'good', title, text: `${subject} is ${setting} on ${where}.`, rows }
    }
    case 'pods-differ':
      return {
        tone: 'warn',
        title: 'Pods differ',
        text: `${subject} is ${setting} on ${onNodes}, but ${counted(pods, 'pod')} ${pods === 1 ? 'was' : 'were'} created before the change and ${pods === 1 ? 'keeps its old size' : 'keep their old sizes'}. Deploy new pods to apply the change.`,
        rows,
      }
    case 'differ': {
      const drifting = agentViews(state, of).filter(({ asIntended }) => asIntended === false)
      const nodes = listed(drifting.map(({ node }) => node))
      return drifting.length > 0
        ? {
            tone: 'bad',
            title: 'Intended ≠ agents',
            text: `${intent}, but the agent on ${nodes} reports another setting${remedyFor(drifting)}`,
            rows,
          }
        : {
            tone: 'bad',
            title: 'Intended ≠ kernel',
            text: `${intent}, but not every device of the nodes has that size. Switch it again, or press Reset.`,
            rows,
          }
    }
    case 'unknown':
      return { tone: 'unknown', title: 'Unknown', text: `${intent}. ${unknownWhy(state, of)}`, rows }
  }
}
