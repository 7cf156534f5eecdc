/** A published gain of netkit. */
import { i18n } from '../../base/language.ts'
import { tcpCrr } from '../../tools/netperf/tcp-crr.ts'
import type { Published } from '../published.ts'
import type { PodDevice } from './devices.ts'
import { deviceIn } from './settings.ts'

const source = 'ByteDance'

/** veth and netkit, forwarded in the same way. */
const pairs: Readonly<Partial<Record<PodDevice, PodDevice>>> = { veth: 'netkit', 'veth-bpf': 'netkit-bpf' }

export const published: Published = {
  notes: (tool) =>
    tool === tcpCrr.tool
      ? [
          i18n.t('ByteDance tried netkit and published 12 % more connections per second, compared with veth.'),
          i18n.t('It is not said how packets were forwarded, so your pairs of both ways are shown.'),
        ]
      : [],
  figures({ tool, metric, ...arms }) {
    const [off, on] = [deviceIn(arms.off), deviceIn(arms.on)]
    if (tool !== tcpCrr.tool || metric !== 'tps' || pairs[off] !== on) return []
    return [
      {
        source,
        link: 'https://isovalent.com/blog/post/cilium-netkit-a-new-container-networking-paradigm-for-the-ai-era/',
        setup: i18n.t('veth and netkit in a cluster'),
        family: null,
        runs: null,
        off: null,
        on: null,
        ratio: 1.12,
        bound: null,
      },
    ]
  },
}
