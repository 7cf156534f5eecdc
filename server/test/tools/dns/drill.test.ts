import { describe, expect, test } from 'vitest'
import { drillArgv, parseDrill } from '../../../src/tools/dns/drill.ts'

/** As drill 1.8.3 prints what unbound 1.17.1 answers. */
const printed = (status: string, answers: readonly string[], authorities: readonly string[] = []): string =>
  [
    `;; ->>HEADER<<- opcode: QUERY, rcode: ${status}, id: 7885`,
    `;; flags: qr rd ra ; QUERY: 1, ANSWER: ${answers.length}, AUTHORITY: ${authorities.length}, ADDITIONAL: 0 `,
    ';; QUESTION SECTION:',
    ';; www.lab.example.\tIN\tAAAA',
    '',
    ';; ANSWER SECTION:',
    ...answers,
    '',
    ';; AUTHORITY SECTION:',
    ...authorities,
    '',
    ';; ADDITIONAL SECTION:',
    '',
    ';; Query time: 0 msec',
    ';; SERVER: fd00:9:1::2',
    ';; WHEN: Mon Nov 23 06:36:50 2026',
    ';; MSG SIZE  rcvd: 88',
  ].join('\n')

describe('the answer of a name server', () => {
  test('has its records', () => {
    const answers = [
      'www.lab.example.\t60\tIN\tCNAME\tipv4only.lab.example.',
      'ipv4only.lab.example.\t59\tIN\tAAAA\tfd64:ff9b::a04:2',
    ]
    expect(parseDrill(printed('NOERROR', answers))).toEqual({
      status: 'NOERROR',
      records: [
        { name: 'www.lab.example', ttlSeconds: 60, type: 'CNAME', data: 'ipv4only.lab.example.' },
        { name: 'ipv4only.lab.example', ttlSeconds: 59, type: 'AAAA', data: 'fd64:ff9b::a04:2' },
      ],
    })
  })

  test.each(['NOERROR', 'NXDOMAIN', 'SERVFAIL', 'REFUSED'])('without records says %s', (status) => {
    expect(parseDrill(printed(status, []))).toEqual({ status, records: [] })
  })

  test('is empty where only the zone has a record', () => {
    const zone = 'lab.example.\t60\tIN\tSOA\tns.lab.example. hostmaster.lab.example. 1 3600 600 86400 60'
    expect(parseDrill(printed('NOERROR', [], [zone]))).toEqual({ status: 'NOERROR', records: [] })
  })

  test.each(['', 'Error: error sending query: Could not send or receive, because of network error'])(
    'can’t be read from %j',
    (text) => {
      expect(() => parseDrill(text)).toThrow(expect.objectContaining({ code: 'tool_output_unreadable' }))
    },
  )

  test('is asked for once', () => {
    expect(drillArgv({ server: 'fd46::1', port: 5300, name: 'www.lab.example', type: 'AAAA' }).join(' ')).toBe(
      'timeout 10 drill -p 5300 @fd46::1 AAAA www.lab.example',
    )
  })
})
