/** Presets of the Bench page. */
import type { Design } from '../../measure/experiment.ts'
import type { Settings } from '../../base/settings.ts'
import type { Preset } from '../feature.ts'
import { nodeportConnect, nodeportEcho } from './benchmarks.ts'
import { LB_ACCELERATION, LB_MODE, type Acceleration, type LbMode } from './settings.ts'

function arm(by: Acceleration, mode: LbMode): Settings {
  return { [LB_ACCELERATION]: by, [LB_MODE]: mode }
}

/** Every switch restarts the agents, so few long repeats. */
const design: Design = { order: 'auto', repeats: 5, seconds: 2, warmups: 1, budget: null }
const common = { families: ['ipv4'], sizes: '', design } as const

export const presets: readonly Preset[] = [
  {
    ...common,
    name: /*i18n*/ 'TC or XDP: UDP echoes',
    tool: nodeportEcho.tool,
    arms: [arm('disabled', 'snat'), arm('native', 'snat')],
  },
  {
    ...common,
    name: /*i18n*/ 'TC or XDP: new connections',
    tool: nodeportConnect.tool,
    arms: [arm('disabled', 'snat'), arm('native', 'snat')],
  },
  {
    ...common,
    name: /*i18n*/ 'SNAT or DSR: UDP echoes',
    tool: nodeportEcho.tool,
    arms: [arm('disabled', 'snat'), arm('disabled', 'dsr')],
  },
]
