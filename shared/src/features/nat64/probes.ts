/** The probes of the labs, which send packets of their own. */
import type { Probe } from '../feature.ts'

const PAGES = 'translator-pages'

export const probes = [
  /** Asks a plain resolver and a DNS64 for the names of the server's pages. */
  { id: 'names', needs: [PAGES] },
  /** The client speaks IPv6, and opens a page that is on IPv4 only. */
  { id: 'ipv4-page', needs: [PAGES, 'capture'] },
  /** The client speaks IPv4, and opens a page that is on IPv6 only. */
  { id: 'ipv6-page', needs: [PAGES] },
  /** Sends packets that fit on one side of the translator and not on the other. */
  { id: 'large-packets', needs: [PAGES] },
] as const satisfies readonly Probe[]
export type ProbeId = (typeof probes)[number]['id']
