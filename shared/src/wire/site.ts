/** The static site that the server has beside its page: its start page runs the experiment in a browser's tab. */
import { z } from 'zod'
import type { Route } from './route.ts'

/** `GET /api/site`. */
export const siteResponse = z.strictObject({
  /**
   * The site's emulated computer: `built`, the site under `/site/` has it; `buildable`, this machine may build it; `none`,
   * it can't.
   */
  computer: z.enum(['built', 'buildable', 'none']),
})
export type SiteResponse = z.infer<typeof siteResponse>

export const readSite = { at: 'GET /api/site', response: siteResponse } satisfies Route
