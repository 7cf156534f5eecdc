/** netperf's TCP_CRR: connect, a request and a response of one byte, close. */
import { INTERIM_SECONDS, rrSelectors } from './netperf.ts'

/** The argv of a run of whole seconds. {@link createTcpRrReader} reads its output. */
export function tcpCrrArgv(address: string, seconds: number): string[] {
  const test = ['-H', address, '-t', 'TCP_CRR', '-l', String(seconds), '-D', String(INTERIM_SECONDS), '-P', '0']
  return ['netperf', ...test, '--', '-r', '1,1', '-k', rrSelectors.join(',')]
}
