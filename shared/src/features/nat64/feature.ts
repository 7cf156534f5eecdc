/** Translators between IPv4 and IPv6, and the cost of each for a packet. */
import { pairTools } from '../../tools/registry.ts'
import type { Feature } from '../feature.ts'
import { about } from './about.ts'
import { metrics } from './metrics.ts'
import { calledAs } from './places.ts'
import { presets } from './presets.ts'
import { proof } from './proof.ts'
import { probes } from './probes.ts'
import { roles } from './roles.ts'
import { extraSeconds, nameArm, phrase, settings } from './settings.ts'

export const nat64 = {
  ...about,
  settings,
  roles,
  calledAs,
  metrics,
  benchmarks: pairTools,
  proof,
  probes,
  extraSeconds,
  nameArm,
  phrase,
  presets,
} as const satisfies Feature
