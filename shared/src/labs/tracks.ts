/** The tracks of the start page: labs that belong together, in an order to walk through. */
import { z } from 'zod'

/** In their order on the page. A lab's front matter names its track by the id. */
export const tracks = {
  'bigger-packets': {
    title: 'Bigger packets',
    about: 'BIG TCP sends packets beyond 64 KiB: what they gain, how big they must be, and how they look.',
  },
  'into-the-node': {
    title: 'Into the node',
    about: 'A packet for a NodePort is forwarded by iptables, nftables, IPVS, TC or XDP: what each way costs.',
  },
  'pod-and-node': {
    title: 'Between pod and node',
    about: 'A device joins each pod to its node: what the way through it costs.',
  },
  'limits-and-long-paths': {
    title: 'Limits and long paths',
    about: 'A pod may send so much and no more, or its packets travel for milliseconds: who waits, and how long.',
  },
  'two-families': {
    title: 'Two families',
    about: 'IPv6 clients reach IPv4 servers through a translator, and the other way round.',
  },
} as const
export const trackId = z.enum(Object.keys(tracks) as (keyof typeof tracks)[])
