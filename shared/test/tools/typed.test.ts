import { expect, test } from 'vitest'
import { typedRuns } from '../../src/tools/netperf/typed.ts'

const prompt = '\u001b[?2004h\u001b[1mpod1\u001b[0m / # '

test('runs of netperf are found in the output of a terminal, with their rates', () => {
  // As netperf 2.7.0 and Bash 5.3 printed it.
  const text = [
    `${prompt}netperf -H 10.31.2.2 -t TCP_RR -l -20 -P 0 -- -r 80000,80000 -k MIN_LATENCY,THROUGHPUT`,
    '\u001b[?2004l\rMIN_LATENCY=61',
    'THROUGHPUT=5005.00',
    `${prompt}netperf -H 10.31.2.2 -t TCP_RR -l -20`,
    '\u001b[?2004l\rMIGRATED TCP REQUEST/RESPONSE TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET to 10.31.2.2 () port 0 AF_INET : demo : first burst 0',
    'Local /Remote',
    'Socket Size   Request  Resp.   Elapsed  Trans.',
    'Send   Recv   Size     Size    Time     Rate         ',
    'bytes  Bytes  bytes    bytes   secs.    per sec   ',
    '',
    '16384  131072 1        1       0.00     32154.34   ',
    '16384  131072',
    `${prompt}netperf -H 10.31.2.2 -t TCP_STREAM -l 1`,
    '\u001b[?2004l\rMIGRATED TCP STREAM TEST from 0.0.0.0 (0.0.0.0) port 0 AF_INET to 10.31.2.2 () port 0 AF_INET : demo',
    'bytes  bytes   bytes    secs.    10^6bits/sec  ',
    '',
    '131072  16384  16384    1.00     7981.31   ',
    prompt,
  ].join('\r\n')
  expect(typedRuns(text).map(({ rate, unit }) => [rate, unit])).toEqual([
    [5005, 'transactions/s'],
    [32_154.34, 'transactions/s'],
    [7981.31, 'Mbit/s'],
  ])
  expect(typedRuns(text)[1]?.command).toBe('netperf -H 10.31.2.2 -t TCP_RR -l -20')
})

test('a run that failed or goes on, another command, and printed words are no results', () => {
  const failed = `${prompt}netperf -H 10.9.9.9\r\nestablish control: are you sure there is a netserver listening?\r\n`
  const others = `${prompt}echo THROUGHPUT=1\r\nTHROUGHPUT=1\r\n${prompt}netperf -H 10.31.2.2 -l 10\r\n`
  expect(typedRuns(failed + others)).toEqual([])
})
