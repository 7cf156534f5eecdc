/** Plans that were saved under a name on the Bench page. */
import { z } from 'zod'
import { experimentPlan } from '../measure/experiment.ts'
import { epochMs } from '../base/units.ts'
import type { Route } from './route.ts'

export const profile = z.strictObject({
  // In a URL, `.` and `..` mean other folders, so such a profile could not be deleted.
  name: z
    .string()
    .max(60)
    .regex(/^(?!\.{1,2}$)\S(.*\S)?$/, 'expected a name other than . and .., without spaces around it'),
  plan: experimentPlan,
  savedAt: epochMs,
})
export type Profile = z.infer<typeof profile>

export const profilesResponse = z.strictObject({ profiles: z.array(profile) })

export const listProfiles = { at: 'GET /api/profiles', response: profilesResponse } satisfies Route
export const saveProfile = {
  at: 'PUT /api/profiles',
  body: profile.omit({ savedAt: true }),
  response: profile,
} satisfies Route
export const removeProfile = {
  at: 'DELETE /api/profiles/:name',
  params: profile.pick({ name: true }),
} satisfies Route
