import { z } from 'zod'

/** What a crowd of followers received since they connected. Those that stopped reading do not count. */
export const crowdReport = z.strictObject({
  followers: z.number(),
  /** Distinct events that any of them received. */
  events: z.number(),
  /** Events that a follower did not receive, over all followers. */
  lost: z.number(),
  doubled: z.number(),
  /** Milliseconds from an event's own time to its arrival, over all followers: the 99th percentile; null without events. */
  p99: z.number().nullable(),
  /** Connections that ended. */
  closed: z.number(),
})
export type CrowdReport = z.infer<typeof crowdReport>
