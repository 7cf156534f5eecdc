/** Packets that the nodes count while a tool runs, as the proof of the packets' way. */
import type { WatchRun } from '../feature.ts'
import { readCounters, type NodeRead } from './reading.ts'

function sum(nodes: readonly NodeRead[], count: (node: NodeRead) => number): number {
  return nodes.reduce((all, one) => all + count(one), 0)
}

const forwarded = (nodes: readonly NodeRead[]): number => sum(nodes, ({ forwarded: { ipv4, ipv6 } }) => ipv4 + ipv6)
const redirected = (nodes: readonly NodeRead[]): number =>
  sum(nodes, ({ route }) => (route === null ? 0 : route.outRedirected + route.inRedirected))
/** Connections without our rule come from somebody else's rules: they count, so that the proof fails. */
const tracked = (nodes: readonly NodeRead[]): number => sum(nodes, ({ known, tracked: entries }) => known ?? entries)

export const watchNodes: WatchRun = async (pods) => {
  const before = await readCounters(pods)
  return async () => {
    const after = await readCounters(pods)
    const grown = (count: (nodes: readonly NodeRead[]) => number): number => Math.max(0, count(after) - count(before))
    return {
      forwardedPackets: grown(forwarded),
      redirectedPackets: grown(redirected),
      trackedPackets: grown(tracked),
    }
  }
}
