/** The places in a node's network stack where a packet to a NodePort can be handled, as read from the kernel. Pure. */
import { hookName, type ForwardingHook } from '@expresslane/shared/features/nodeport/hooks'
import { servicesIn } from '@expresslane/shared/features/nodeport/settings'
import { formatCount } from '@expresslane/shared/base/units'
import type { DatapathState, HookReading } from '@expresslane/shared/testbed/reading'

/**
 * - `handles`: the hook takes the packets
 * - `empty`: the hook has no program or rule
 * - `late`: the hook has a program or rule, but packets are handled before
 * - `unknown`: the hook, or a hook before it, could not be read
 */
export type HookState = 'handles' | 'empty' | 'late' | 'unknown'

export interface HookView {
  readonly id: ForwardingHook
  readonly name: string
  readonly state: HookState
  /** The programs or rules at the hook: `program at eth0 and eth1`, `no rules`. */
  readonly has: string
  /** The packets that the hook has counted; null for nothing to show. */
  readonly counted: string | null
}

export interface StageView {
  readonly id: 'xdp' | 'tc' | 'netfilter' | 'routing'
  readonly name: string
  readonly place: string
  readonly hooks: readonly HookView[]
  /** Whether packets to a NodePort get here; null if unknown. */
  readonly reached: boolean | null
}

export interface StackView {
  /** In the order in which a packet passes them. */
  readonly stages: readonly StageView[]
  /** The hook that handles the packets; null if none does, or if it is unknown. */
  readonly handler: ForwardingHook | null
  /** The way of a packet and of its reply, in sentences. */
  readonly request: string
  /** Null while no hook is known to handle packets. */
  readonly reply: string | null
}

interface Stage extends Pick<StageView, 'id' | 'name' | 'place'> {
  readonly hooks: readonly ForwardingHook[]
}

const stack: readonly Stage[] = [
  { id: 'xdp', name: 'XDP', place: 'in the driver, before the kernel makes an skb', hooks: ['xdp'] },
  { id: 'tc', name: 'TC', place: 'with the new skb, before the IP layer', hooks: ['tc'] },
  {
    id: 'netfilter',
    name: 'netfilter',
    place: 'in the IP layer, before routing',
    hooks: ['nftables', 'iptables', 'ipvs'],
  },
  { id: 'routing', name: 'Routing', place: 'chooses the next device', hooks: [] },
]
const order: readonly ForwardingHook[] = stack.flatMap(({ hooks }) => hooks)
const stageOf = (hook: ForwardingHook): number => stack.findIndex(({ hooks }) => hooks.includes(hook))

const isProgram = (hook: ForwardingHook): boolean => hook === 'xdp' || hook === 'tc'

/** The first hook that has something, if everything before it was read. */
function handlerOf(read: ReadonlyMap<string, HookReading>): ForwardingHook | null {
  for (const hook of order) {
    const reading = read.get(hook)
    if (reading === undefined) return null
    if (reading.present) return hook
  }
  return null
}

function hasWords(hook: ForwardingHook, reading: HookReading | undefined, services: number): string {
  if (reading === undefined) return 'unknown'
  if (!reading.present) return isProgram(hook) ? 'no program' : 'no rules'
  if (isProgram(hook)) return `program at ${reading.devices.join(' and ')}`
  return `${hook === 'ipvs' ? 'addresses' : 'rules'} of ${formatCount(services)} ${services === 1 ? 'service' : 'services'}`
}

function countedWords(reading: HookReading | undefined): string | null {
  const { newFlows, forwarded, replies } = reading?.counts ?? {}
  if (newFlows === undefined) return null
  const flows = `${formatCount(newFlows)} ${newFlows === 1 ? 'flow' : 'flows'}`
  if (forwarded === undefined || replies === undefined) return `counted ${flows}`
  return `counted ${flows}: ${formatCount(forwarded)} packets there, ${formatCount(replies)} back`
}

function stateOf(hook: ForwardingHook, reading: HookReading | undefined, handler: ForwardingHook | null): HookState {
  if (reading === undefined) return 'unknown'
  if (!reading.present) return 'empty'
  if (hook === handler) return 'handles'
  return handler === null ? 'unknown' : 'late'
}

function requestWords(handler: ForwardingHook | null, isRead: boolean, client: string | undefined): string {
  if (!isRead) return 'Which hook handles the packets is unknown: the node’s hooks could not be read.'
  if (handler === null) return 'No hook has a program or a rule, so nothing forwards.'
  const at = client === undefined ? '' : ` at ${client}`
  const name = hookName[handler]
  if (isProgram(handler)) return `The ${name} program${at} handles the packets. They skip the rest of the stack.`
  if (handler === 'ipvs')
    return `Packets come in${at}. ${name} looks up the service of the first of each flow, and the connection of the others.`
  return `Packets come in${at}. The rules of ${name} handle the first of each flow, and connection tracking knows the others.`
}

function replyWords(handler: ForwardingHook, reading: HookReading | undefined, backend: string | undefined): string {
  const at = backend ?? 'the other device'
  const name = hookName[handler]
  if (handler === 'ipvs')
    return `Replies come in at ${at}. ${name} and connection tracking change their addresses back.`
  if (!isProgram(handler))
    return `Replies come in at ${at}. Connection tracking changes their addresses back: they pass no rule.`
  if (backend !== undefined && reading?.devices.includes(backend) === true) {
    return `Replies come in at ${at}. The ${name} program there changes their addresses back.`
  }
  return `Replies come in at ${at}, which has no ${name} program: they are not handled there.`
}

/** The stack of one node. @param devices its devices, from the client's side to the backend's */
export function stackOf({ hooks, carried }: DatapathState, node: string, devices: readonly string[]): StackView {
  const read = new Map(hooks.filter(({ where }) => where === node).map((one) => [one.hook, one]))
  const handler = handlerOf(read)
  const isRead = handler !== null || order.every((hook) => read.has(hook))
  const last = handler === null || !isProgram(handler) ? stack.length : stageOf(handler)
  const view = (hook: ForwardingHook): HookView => {
    const reading = read.get(hook)
    return {
      id: hook,
      name: hookName[hook],
      state: stateOf(hook, reading, handler),
      has: hasWords(hook, reading, servicesIn(carried)),
      counted: countedWords(reading),
    }
  }
  return {
    stages: stack.map((stage, index) => ({
      ...stage,
      hooks: stage.hooks.map(view),
      reached: isRead ? index <= last : null,
    })),
    handler,
    request: requestWords(handler, isRead, devices[0]),
    reply: handler === null ? null : replyWords(handler, read.get(handler), devices.at(-1)),
  }
}
