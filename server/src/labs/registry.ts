/** All labs, in the order of the catalogue. A new lab is a file beside this one and a line here. */
import type { Lab } from '@expresslane/shared/labs/lab'
import { bench } from './bench.ts'
import { bigTcpIpv4 } from './big-tcp-ipv4.ts'
import { bigTcpIpv6 } from './big-tcp-ipv6.ts'
import { howBig } from './how-big.ts'
import { jumboOrBigTcp } from './jumbo-or-big-tcp.ts'
import { oneStream } from './one-stream.ts'
import { seeThePackets } from './see-the-packets.ts'

export const labs: readonly Lab[] = [bigTcpIpv4, bigTcpIpv6, howBig, oneStream, jumboOrBigTcp, seeThePackets, bench]

/** The lab of that id, or undefined. */
export function findLab(id: string): Lab | undefined {
  return labs.find((lab) => lab.id === id)
}
