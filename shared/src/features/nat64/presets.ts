/** Presets of the Bench page. */
import { tcpStream } from '../../tools/netperf/tcp-stream.ts'
import { tcpCrr } from '../../tools/netperf/tcp-crr.ts'
import { tcpRr } from '../../tools/netperf/tcp-rr.ts'
import type { Design } from '../../measure/experiment.ts'
import type { Preset } from '../feature.ts'
import { TRANSLATOR } from './settings.ts'
import type { Translator } from './translators.ts'

const design: Design = { order: 'auto', repeats: 6, seconds: 1, warmups: 1, budget: null }
const common = { families: ['ipv4', 'ipv6'], sizes: '1', design } as const
const armsOf = (some: readonly Translator[]) => some.map((one) => ({ [TRANSLATOR]: one }))
const all: readonly Translator[] = ['native', 'bpf-stateless', 'bpf-stateful', 'tayga']

export const presets: readonly Preset[] = [
  { ...common, name: /*i18n*/ 'What does translation cost?', tool: tcpRr.tool, arms: armsOf(all) },
  { ...common, name: /*i18n*/ 'Translation in user space', tool: tcpRr.tool, arms: armsOf(['native', 'tayga']) },
  {
    ...common,
    name: /*i18n*/ 'Short connections through a translator',
    tool: tcpCrr.tool,
    arms: armsOf(all),
    design: { ...design, warmups: 0 },
  },
  {
    ...common,
    name: /*i18n*/ 'One stream through a translator',
    tool: tcpStream.tool,
    arms: armsOf(all),
    design: { ...design, repeats: 4 },
  },
]
