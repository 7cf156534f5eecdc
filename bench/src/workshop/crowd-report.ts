import { z } from 'zod'

/** The events that a crowd of followers received since it connected, without the followers that stopped reading. */
export const crowdReport = z.strictObject({
  followers: z.number(),
  /** Distinct events that at least one of them received. */
  events: z.number(),
  /** Missing events, summed over all followers. */
  lost: z.number(),
  doubled: z.number(),
  /**
   * The 99th percentile, over all followers, of the milliseconds from an event's time to its arrival; null without
   * events.
   */
  p99: z.number().nullable(),
  /** Connections that ended. */
  closed: z.number(),
})
export type CrowdReport = z.infer<typeof crowdReport>
