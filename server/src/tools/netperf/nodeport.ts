/** netperf through a NodePort: its control connection and its data each need a port of the node. */
import { INTERIM_SECONDS, rrSelectors } from './netperf.ts'

/** `TCP_CRR`: connect, request, response, close. `TCP_RR`, `UDP_RR`: a request and a response. */
export type NodeportTest = 'TCP_CRR' | 'TCP_RR' | 'UDP_RR'

export interface NodeportTarget {
  readonly address: string
  /** The port of netserver's control connection. */
  readonly controlPort: number
  /** netserver listens for the data at this port, too, and names it to the client. */
  readonly dataPort: number
}

function testArgv(test: NodeportTest, { address, controlPort }: NodeportTarget, length: number): string[] {
  return ['netperf', '-H', address, '-p', String(controlPort), '-t', test, '-l', String(length), '-P', '0']
}

function dataArgv({ dataPort }: NodeportTarget): string[] {
  return ['-P', `,${dataPort}`, '-r', '1,1']
}

/** A single transaction, without results. */
export function transactionArgv(test: NodeportTest, target: NodeportTarget): string[] {
  return [...testArgv(test, target, -1), '--', ...dataArgv(target)]
}

/** A measured run with requests and responses of one byte. @param length whole seconds; below 0 so many transactions */
export function nodeportArgv(test: NodeportTest, target: NodeportTarget, length: number): string[] {
  const interim = ['-D', String(INTERIM_SECONDS)]
  return [...testArgv(test, target, length), ...interim, '--', ...dataArgv(target), '-k', rrSelectors.join(',')]
}
