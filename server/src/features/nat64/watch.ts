/** Packets that the gateway counts while a tool runs, as the proof of who translated. */
import type { WatchRun } from '../feature.ts'
import { readGateway, type GatewayRead } from './reading.ts'

const forwarded = ({ path }: GatewayRead): number => path.forwarded.ipv4 + path.forwarded.ipv6
const byBpf = ({ program }: GatewayRead): number =>
  program === null ? 0 : program.toIpv4 + program.toIpv6 + program.errorsToIpv4 + program.errorsToIpv6
const byTayga = ({ tayga }: GatewayRead): number => tayga ?? 0
const sessions = ({ program }: GatewayRead): number => program?.newSessions ?? 0

export const watchGateway: WatchRun = async (pods) => {
  const before = await readGateway(pods)
  return async () => {
    const after = await readGateway(pods)
    const grown = (count: (read: GatewayRead) => number): number => Math.max(0, count(after) - count(before))
    return {
      gatewayPackets: grown(forwarded),
      bpfTranslations: grown(byBpf),
      taygaTranslations: grown(byTayga),
      translatorSessions: grown(sessions),
    }
  }
}
