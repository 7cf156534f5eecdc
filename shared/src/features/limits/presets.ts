/** Presets of the Bench page. */
import type { Settings } from '../../base/settings.ts'
import type { Design } from '../../measure/experiment.ts'
import type { Preset } from '../feature.ts'
import { afterPause, pingsBesideStream, streamAndPings } from './benchmarks.ts'
import { CONGESTION_CONTROL, IDLE_SLOW_START, LONG_PATH, POD_LIMITER, type Limiter } from './settings.ts'

const design: Design = { order: 'auto', repeats: 4, seconds: 4, warmups: 0, budget: null }
const common = { families: ['ipv4'], sizes: '', design } as const

const limited = (by: Limiter): Settings => ({ [POD_LIMITER]: by })
const lossy = (by: string): Settings => ({ [LONG_PATH]: 'narrow-1', [CONGESTION_CONTROL]: by })

export const presets: readonly Preset[] = [
  {
    ...common,
    name: /*i18n*/ 'Drop, queue or pace?',
    tool: pingsBesideStream.tool,
    arms: (['none', 'police', 'tbf', 'edt', 'edt-routed'] as const).map(limited),
  },
  {
    ...common,
    name: /*i18n*/ 'CUBIC or BBR at 1 % loss?',
    tool: streamAndPings.tool,
    arms: ['cubic', 'bbr'].map(lossy),
  },
  {
    ...common,
    name: /*i18n*/ 'The pause before the answer',
    tool: afterPause.tool,
    arms: [true, false].map((one) => ({ [LONG_PATH]: 'long', [IDLE_SLOW_START]: one })),
  },
]
