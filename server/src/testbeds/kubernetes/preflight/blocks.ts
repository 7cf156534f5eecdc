import type { Capability } from '@expresslane/shared/testbed/testbed'

/** Blocked if the agents refuse BIG TCP. */
export const BIG_TCP: Capability[] = ['big-tcp-ipv6', 'big-tcp-ipv4']
