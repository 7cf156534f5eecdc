/** The target of a command on a testbed, and its output. */
import type { Role } from '@expresslane/shared/testbed/placement'

/**
 * A role of the workload (`client`), a role's network with the server's own rights (`net:client`), the machine whose
 * kernel a role has (`host:client`; with the server's own rights it shows kernel threads), a node (`node:NAME`), or a node
 * with the tools and the permission to capture packets on its devices (`capture:NAME`).
 */
export type Target = string

export type TargetPlace =
  | { readonly kind: 'role'; readonly role: Role }
  | { readonly kind: 'net'; readonly role: Role }
  | { readonly kind: 'host'; readonly role: Role }
  | { readonly kind: 'node'; readonly node: string }
  | { readonly kind: 'capture'; readonly node: string }

/** Parses a target. A role has no colon. */
export function placeOf(target: Target): TargetPlace {
  const colon = target.indexOf(':')
  const name = target.slice(colon + 1)
  if (colon < 0) return { kind: 'role', role: target }
  if (target.startsWith('net:')) return { kind: 'net', role: name }
  if (target.startsWith('host:')) return { kind: 'host', role: name }
  return { kind: target.startsWith('capture:') ? 'capture' : 'node', node: name }
}

/** An item of a command's output. */
export type ExecOutput =
  | { readonly type: 'line'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  /** The last item; `code` is null if `signal` ended the command. */
  | { readonly type: 'exit'; readonly code: number | null; readonly signal: string | null }
