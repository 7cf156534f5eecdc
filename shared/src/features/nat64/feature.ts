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
  onYourCluster:
    /*i18n*/ 'A translator in the kernel costs little, and one in user space costs twice a transaction and ten times as much in bulk: choose by your traffic. An IPv6 packet is 20 bytes longer, so check that the translator answers a packet that is too long: one that stays silent is a black hole. Cilium’s own gateway is `nat46x64Gateway.enabled`.',
} as const satisfies Feature
