/** Presets of the Bench page. */
import type { Design } from '../../measure/experiment.ts'
import type { Settings } from '../../base/settings.ts'
import type { Preset } from '../feature.ts'
import { forwardMax, newFlows } from './benchmarks.ts'
import { forwardPaced } from './forward-paced.ts'
import type { Hook } from './hooks.ts'
import { NODEPORT_HOOK, NODEPORT_SERVICES } from './settings.ts'

function arm(by: Hook, services = 1): Settings {
  return { [NODEPORT_HOOK]: by, [NODEPORT_SERVICES]: services }
}

/** Every visit to an arm has new pods, so a warm-up before the first one warms nothing that lasts. */
const design: Design = { order: 'auto', repeats: 6, seconds: 0.5, warmups: 0, budget: null }
const common = { families: ['ipv4'], sizes: '', design } as const

export const presets: readonly Preset[] = [
  {
    ...common,
    name: /*i18n*/ 'iptables or nftables, 1,000 services?',
    tool: newFlows.tool,
    arms: [arm('iptables', 1_000), arm('nftables', 1_000)],
  },
  {
    ...common,
    name: /*i18n*/ 'How far does iptables grow?',
    tool: newFlows.tool,
    arms: [1, 100, 1_000, 5_000].map((services) => arm('iptables', services)),
  },
  {
    ...common,
    name: /*i18n*/ 'Greatest rate of four hooks',
    tool: forwardMax.tool,
    arms: (['tc', 'xdp', 'nftables', 'iptables', 'none'] as const).map((hook) => arm(hook)),
    design: { ...design, repeats: 8 },
  },
  {
    ...common,
    name: /*i18n*/ 'Idle CPU at 500 kpps',
    tool: forwardPaced.tool,
    arms: (['tc', 'xdp', 'nftables', 'iptables'] as const).map((hook) => arm(hook)),
  },
]
