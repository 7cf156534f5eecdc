import { describe, expect, test } from 'vitest'
import { digArgv, parseDig } from '../../../src/tools/dns/dig.ts'

/** As dig 9.18 prints it. */
const printed = (status: string, answers: readonly string[]): string =>
  [
    ';; Got answer:',
    `;; ->>HEADER<<- opcode: QUERY, status: ${status}, id: 61541`,
    `;; flags: qr rd ra; QUERY: 1, ANSWER: ${answers.length}, AUTHORITY: 0, ADDITIONAL: 1`,
    '',
    ';; OPT PSEUDOSECTION:',
    '; EDNS: version: 0, flags:; udp: 1232',
    ...(answers.length === 0 ? [] : [';; ANSWER SECTION:', ...answers, '']),
  ].join('\n')

describe('the answer of a name server', () => {
  test('has its records', () => {
    const answers = [
      'www.lab.example.\t60\tIN\tCNAME\tipv4only.lab.example.',
      'ipv4only.lab.example.\t59\tIN\tAAAA\tfd64:ff9b::a04:2',
    ]
    expect(parseDig(printed('NOERROR', answers))).toEqual({
      status: 'NOERROR',
      records: [
        { name: 'www.lab.example', ttlSeconds: 60, type: 'CNAME', data: 'ipv4only.lab.example.' },
        { name: 'ipv4only.lab.example', ttlSeconds: 59, type: 'AAAA', data: 'fd64:ff9b::a04:2' },
      ],
    })
  })

  test.each(['NOERROR', 'NXDOMAIN', 'SERVFAIL', 'REFUSED'])('without records says %s', (status) => {
    expect(parseDig(printed(status, []))).toEqual({ status, records: [] })
  })

  test.each(['', ';; communications error to ::1#5301: connection refused\n;; no servers could be reached'])(
    'can’t be read from %s',
    (text) => {
      expect(() => parseDig(text)).toThrow(expect.objectContaining({ code: 'tool_output_unreadable' }))
    },
  )

  test('is asked for once', () => {
    expect(digArgv({ server: 'fd46::1', port: 5300, name: 'www.lab.example', type: 'AAAA' }).join(' ')).toBe(
      'dig +noall +comments +answer +tries=1 +time=2 -p 5300 @fd46::1 AAAA www.lab.example',
    )
  })
})
