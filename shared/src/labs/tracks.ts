/** The tracks of the start page: labs that belong together, in an order to walk through. */
import { z } from 'zod'

/** In their order on the page. A lab's front matter names its track by the id. */
export const tracks = {
  'bigger-packets': {
    title: /*i18n*/ 'Bigger packets',
    about: /*i18n*/ 'BIG TCP sends packets beyond 64 KiB: what they gain, how big they must be, and how they look.',
  },
  'into-the-node': {
    title: /*i18n*/ 'Into the node',
    about: /*i18n*/ 'A packet for a NodePort is forwarded by iptables, nftables, IPVS, TC or XDP: what each way costs.',
  },
  'pod-and-node': {
    title: /*i18n*/ 'Between pod and node',
    about: /*i18n*/ 'A device joins each pod to its node: what the way through it costs.',
  },
  'limits-and-long-paths': {
    title: /*i18n*/ 'Limits and long paths',
    about:
      /*i18n*/ 'A pod may send so much and no more, or its packets travel for milliseconds: who waits, and how long.',
  },
  'two-families': {
    title: /*i18n*/ 'Two families',
    about: /*i18n*/ 'IPv6 clients reach IPv4 servers through a translator, and the other way round.',
  },
} as const
export const trackId = z.enum(Object.keys(tracks) as (keyof typeof tracks)[])
