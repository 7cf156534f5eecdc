import type { Capability } from '@expresslane/shared/testbed/testbed'

/** Blocked if the agents refuse BIG TCP. */
export const BIG_TCP: Capability[] = ['big-tcp-ipv6', 'big-tcp-ipv4']

/** Blocked if nothing can be switched. */
export const SWITCHING: Capability[] = [...BIG_TCP, 'lb-acceleration', 'lb-mode']

/** Blocked if there can be no NodePort. */
export const OUTSIDE_CLIENT: Capability[] = ['outside-client']
