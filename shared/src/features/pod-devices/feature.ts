/** Devices between a pod and its node, and the cost of each for a packet. */
import { pairTools } from '../../tools/registry.ts'
import type { Feature } from '../feature.ts'
import { about } from './about.ts'
import { metrics } from './metrics.ts'
import { presets } from './presets.ts'
import { proof } from './proof.ts'
import { published } from './published.ts'
import { roles } from './roles.ts'
import { extraSeconds, nameArm, phrase, settings } from './settings.ts'

export const podDevices = {
  ...about,
  settings,
  roles,
  metrics,
  benchmarks: pairTools,
  proof,
  extraSeconds,
  nameArm,
  phrase,
  presets,
  published,
} as const satisfies Feature
