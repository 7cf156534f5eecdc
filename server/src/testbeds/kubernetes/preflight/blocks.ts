import type { Capability } from '@expresslane/shared/testbed/testbed'

/** What an agent refuses to switch. */
export const BIG_TCP: Capability[] = ['big-tcp-ipv6', 'big-tcp-ipv4']
