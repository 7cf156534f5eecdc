/** The target of a command on a testbed, and its output. */
import { LabError } from '@expresslane/shared/base/errors'
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

/** The lines of stdout. @throws LabError `tool_failed` with the command's output when its exit code is not 0 */
export async function linesOf(output: AsyncIterable<ExecOutput>, typed: string): Promise<string[]> {
  const lines: string[] = []
  const words: string[] = []
  for await (const item of output) {
    if (item.type === 'line') (item.stream === 'stdout' ? lines : words).push(item.text)
    else if (item.code !== 0) {
      const how =
        item.code === null ? `was ended by ${item.signal ?? 'a signal'}` : `failed with exit code ${item.code}`
      const [first = ''] = typed.split('\n')
      throw new LabError('tool_failed', `\`${first}\` ${how}.`, 'Read its output, then try again.', {
        detail: [...words, ...lines].join('\n'),
      })
    }
  }
  return lines
}
