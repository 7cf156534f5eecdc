/** The three layers of a datapath's state, held against each other in words. Pure. */
import { compareLayers, intendedSize } from '@expresslane/shared/features/big-tcp/layers'
import { isOn } from '@expresslane/shared/features/big-tcp/settings'
import { gsoLimit, type AgentReport, type DatapathState, type Reading } from '@expresslane/shared/testbed/reading'
import { familyName, type Bytes, type Family } from '@expresslane/shared/measure/units'
import { listed } from '../../../words/format.ts'
import { sizeView } from './path-model.ts'

export type LayerTone = 'good' | 'warn' | 'bad' | 'unknown'

/** What one layer says, and how that stands to the layer above it. */
export interface LayerRow {
  readonly name: 'Intended' | 'Agents' | 'Kernel'
  readonly says: string
  /** Null for the intent, against which the others are held. */
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
  /** The largest packet that it says it sets; null where it tells none. */
  readonly maxGso: string | null
  /** Null where it could not be read. */
  readonly asIntended: boolean | null
  readonly overriddenBy: string | null
  readonly unreadable: string | null
}

const agrees = { tone: 'good', word: 'agrees' } as const
const differs = { tone: 'bad', word: 'differs' } as const
const unknown = { tone: 'unknown', word: 'not all known' } as const

function onOff(on: boolean): 'on' | 'off' {
  return on ? 'on' : 'off'
}

/** Each agent's own word, those that are not as intended first. */
export function agentViews(state: DatapathState, of: Family): AgentView[] {
  const views = (state.agents ?? []).map(({ node, settings, maxGso, overriddenBy, unreadable }: AgentReport) => ({
    node,
    says: settings === null ? ('unknown' as const) : onOff(isOn(settings, of)),
    maxGso: maxGso[of] === null ? null : sizeView(maxGso[of]).text,
    asIntended: settings === null ? null : isOn(settings, of) === isOn(state.settings, of),
    overriddenBy,
    unreadable: settings === null ? (unreadable ?? 'It did not tell.') : unreadable,
  }))
  return views.toSorted((a, b) => Number(a.asIntended === true) - Number(b.asIntended === true))
}

function agentsRow(state: DatapathState, of: Family): LayerRow[] {
  if (state.agents === null) return []
  const agents = agentViews(state, of)
  const alike = agents.filter(({ asIntended }) => asIntended === true).length
  const silent = agents.filter(({ asIntended }) => asIntended === null).length
  const other = agents.length - alike - silent
  const said = [
    `${alike} of ${agents.length} ${alike === 1 ? 'says' : 'say'} ${onOff(isOn(state.settings, of))}`,
    ...(other > 0 ? [`${other} ${onOff(!isOn(state.settings, of))}`] : []),
    ...(silent > 0 ? [`${silent} not read`] : []),
  ]
  const verdict = other > 0 ? differs : silent > 0 || agents.length === 0 ? unknown : agrees
  return [{ name: 'Agents', says: said.join(', '), verdict }]
}

/** `192K`, or `64K to 192K` where they differ. */
function spread(devices: readonly Reading[], of: Family): string {
  const sizes = devices.flatMap((device) => gsoLimit(device, of) ?? [])
  if (sizes.length === 0) return 'unknown'
  const [least, most] = [Math.min(...sizes) as Bytes, Math.max(...sizes) as Bytes]
  const told = least === most ? sizeView(least).text : `${sizeView(least).text} to ${sizeView(most).text}`
  return sizes.length === devices.length ? told : `${told}, some unknown`
}

function kernelRow(state: DatapathState, of: Family): LayerRow {
  const native = state.kernel.filter((device) => device.native)
  const ends = state.kernel.filter((device) => !device.native && device.role !== 'wire')
  const parts = [
    ...(native.length > 0 ? [`nodes ${spread(native, of)}`] : []),
    ...(ends.length > 0 ? [`pods ${spread(ends, of)}`] : []),
    ...(state.unread.length > 0 ? [`${state.unread.length} not read`] : []),
  ]
  const says = parts.length === 0 ? 'no device was read' : parts.join(', ')
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
  return 'Some device did not tell its size.'
}

/** Some agent is known to say something else: news, even where another one says nothing. */
function hasDrift(state: DatapathState, of: Family): boolean {
  return agentViews(state, of).some(({ asIntended }) => asIntended === false)
}

/** Switching is no remedy for a node that is told otherwise by name. */
function remedyFor(drifting: readonly AgentView[]): string {
  const by = listed([...new Set(drifting.flatMap(({ overriddenBy }) => overriddenBy ?? []))])
  return by === '' ? ': switch it once more, or press Reset.' : `, because ${by} sets it there alone: take that away.`
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

/** The places that a family's setting is about: devices between the nodes belong to none. */
function placesOf(state: DatapathState): { readonly nodes: number; readonly pods: number } {
  const distinct = (role: Reading['role']): number =>
    new Set(state.kernel.filter((device) => device.role === role).map(({ where }) => where)).size
  return { nodes: distinct('node'), pods: distinct('pod') }
}

/** Do intent, agents and kernel say the same? In words. */
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
        text: `${subject} is ${setting} on ${onNodes}, but ${counted(pods, 'pod')} ${pods === 1 ? 'was' : 'were'} made before the change and ${pods === 1 ? 'keeps its' : 'keep their'} sizes. Deploy the pods again.`,
        rows,
      }
    case 'differ': {
      const drifting = agentViews(state, of).filter(({ asIntended }) => asIntended === false)
      const nodes = listed(drifting.map(({ node }) => node))
      return drifting.length > 0
        ? {
            tone: 'bad',
            title: 'Intended ≠ agents',
            text: `${intent}, but the agent on ${nodes} says otherwise${remedyFor(drifting)}`,
            rows,
          }
        : {
            tone: 'bad',
            title: 'Intended ≠ kernel',
            text: `${intent}, but not every device of the nodes says so: switch it once more, or press Reset.`,
            rows,
          }
    }
    case 'unknown':
      return { tone: 'unknown', title: 'Not known', text: `${intent}. ${unknownWhy(state, of)}`, rows }
  }
}
