/** A change of a recorded, healthy cluster, and the result of a check. */
import type { Check } from '@expresslane/shared/testbed/testbed'
import type { Change } from './preflight-changes.ts'

export const NOW = Date.parse('2026-11-21T08:00:00Z')

export interface Case {
  readonly name: string
  readonly change: Change
  readonly id: string
  readonly status: Check['status']
  readonly seen?: string
  readonly blocks?: Check['blocks']
  readonly command?: string
}

export const bigTcp: Check['blocks'] = ['big-tcp-ipv6', 'big-tcp-ipv4']
