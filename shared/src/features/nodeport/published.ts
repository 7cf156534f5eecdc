/** Published rates of ways to forward a NodePort. */
import type { Published, PublishedFigure } from '../published.ts'
import { forwardMax } from './benchmarks.ts'
import { forwardPaced } from './forward-paced.ts'
import { hookName, type Hook } from './hooks.ts'
import { hookIn } from './settings.ts'

const source = 'Spiderpool'
const link = 'https://docs.daocloud.io/en/network/performance/cilium-performance/cilium-nodeport/'

/** Packets per second that pktgen sent. */
const OFFERED = 10e6
/** Packets per second that were forwarded. */
const forwarded: Readonly<Partial<Record<Hook, number>>> = { xdp: 10e6, tc: 3.5e6, iptables: 2.3e6, ipvs: 1.9e6 }

const rates = (Object.entries(forwarded) as [Hook, number][])
  .map(([hook, rate]) => `${hookName[hook]} ${rate / 1e6}`)
  .join(', ')

const notes: Readonly<Record<string, readonly string[]>> = {
  [forwardMax.tool]: [
    `${source} published for bare metal how many of ${OFFERED / 1e6} million packets per second, sent by pktgen, were forwarded: ${rates} million per second.`,
    'XDP forwarded all of them, so its limit is not known.',
  ],
  [forwardPaced.tool]: [
    `${source} published for bare metal which way still has idle CPU time at 1, 2 and 4 million packets per second, sent by pktgen.`,
    'iptables and IPVS have none left at 2 million, and TC has none left at 4 million. XDP has much left at 4 million.',
  ],
}

function boundOf(off: number, on: number): PublishedFigure['bound'] {
  if (on === OFFERED) return 'at least'
  return off === OFFERED ? 'at most' : null
}

/** kube-proxy's two ways are shown beside each other, although an experiment compares each with its first arm. */
const isOfKubeProxy = (off: Hook, on: Hook): boolean => off === 'iptables' && on === 'ipvs'

export const published: Published = {
  notes: (tool) => notes[tool] ?? [],
  figures({ tool, metric, isCompared, ...arms }) {
    const hooks = { off: hookIn(arms.off), on: hookIn(arms.on) }
    const [off, on] = [forwarded[hooks.off], forwarded[hooks.on]]
    if (tool !== forwardMax.tool || metric !== 'forwardRate' || off === undefined || on === undefined) return []
    if (hooks.off === hooks.on || (!isCompared && !isOfKubeProxy(hooks.off, hooks.on))) return []
    const setup = 'bare metal, pktgen'
    return [{ source, link, setup, family: null, runs: null, off, on, ratio: on / off, bound: boundOf(off, on) }]
  },
}
