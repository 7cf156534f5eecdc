import type { DatabaseSync } from 'node:sqlite'
import { experimentPlan } from '@expresslane/shared/measure/experiment'
import { upgradePlan } from '@expresslane/shared/recordings/upgrade/settings'
import { profile, type Profile } from '@expresslane/shared/wire/profiles'
import { z } from 'zod'
import { readJson } from './json.ts'

const row = z.object({ name: z.string(), plan: z.string(), saved_at: z.number() })

/** Rows of an earlier version are upgraded when they are read. */
const storedPlan = z.preprocess(upgradePlan, experimentPlan)

/** Saved plans, by name. */
export interface Profiles {
  /** By name. */
  all(): Profile[]
  /** Replaces a profile of the same name. */
  save(profile: Profile): void
  /** @returns whether a profile of that name existed */
  remove(name: string): boolean
}

function read(found: unknown): Profile {
  const { name, plan, saved_at: savedAt } = row.parse(found)
  return profile.parse({ name, plan: readJson(storedPlan, plan, `profile ${name}`), savedAt })
}

export function createProfiles(db: DatabaseSync): Profiles {
  const select = db.prepare('SELECT * FROM profiles ORDER BY name COLLATE NOCASE, name')
  const upsert = db.prepare(
    `INSERT INTO profiles (name, plan, saved_at) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET plan = excluded.plan, saved_at = excluded.saved_at`,
  )
  const drop = db.prepare('DELETE FROM profiles WHERE name = ?')
  return {
    all: () => select.all().map(read),
    save({ name, plan, savedAt }) {
      upsert.run(name, JSON.stringify(plan), savedAt)
    },
    remove: (name) => drop.run(name).changes > 0,
  }
}
