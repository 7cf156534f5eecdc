import type { Capability } from '@expresslane/shared/testbed/testbed'

/** What is blocked when the agents refuse BIG TCP. */
export const BIG_TCP: Capability[] = ['big-tcp-ipv6', 'big-tcp-ipv4']
