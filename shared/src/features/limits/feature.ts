/** A pod's limit, and paths of many milliseconds: what they do to the rate, and to everybody else's time. */
import type { Feature } from '../feature.ts'
import { about } from './about.ts'
import { afterPause, pingsBesideStream, streamAndPings } from './benchmarks.ts'
import { metrics } from './metrics.ts'
import { presets } from './presets.ts'
import { proof } from './proof.ts'
import { roles } from './roles.ts'
import { extraSeconds, nameArm, phrase, settings } from './settings.ts'

export const limits = {
  ...about,
  settings,
  roles,
  metrics,
  benchmarks: [streamAndPings, pingsBesideStream, afterPause],
  proof,
  extraSeconds,
  nameArm,
  phrase,
  presets,
  onYourCluster:
    /*i18n*/ 'Cilium’s Bandwidth Manager (`bandwidthManager.enabled`) limits the pods that have the annotation `kubernetes.io/egress-bandwidth`, by departure times. With `bandwidthManager.bbr` pods use BBR; that needs eBPF host routing, so that packets keep their sockets as far as fq.',
} as const satisfies Feature
