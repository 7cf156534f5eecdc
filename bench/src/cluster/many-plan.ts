import { z } from 'zod'

/** As many as a server lets in. */
export const PEOPLE = 200
/** Labs whose testbeds have different devices: each is a pod of its own. */
export const LABS = ['big-tcp-ipv4', 'nodeport-rate', 'load-balancing', 'nat64', 'pod-devices']
/** In which time the testbeds are asked for. */
export const WITHIN_MS = 60_000

export const peopleReport = z.strictObject({
  /** By the reason of the end: how many first steps ended with it. */
  ends: z.record(z.string(), z.number()),
  /** Received by all of them together. */
  events: z.number(),
  /** The 99th percentile of the delays from an event's own time to its arrival, in milliseconds; null without events. */
  p99: z.number().nullable(),
})
export type PeopleReport = z.infer<typeof peopleReport>
