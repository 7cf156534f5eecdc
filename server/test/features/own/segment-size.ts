/** The segment limit on a testbed: an attribute of each pod's default route, and a shell one-liner to see it work. */
import { LabError } from '@expresslane/shared/base/errors'
import { CLIENT, SERVER, podOf } from '@expresslane/shared/testbed/placement'
import type { RunBenchmark } from '../../../src/benchmarks/invocation.ts'
import { networkAt } from '../../../src/tools/data-connection.ts'
import type { RunProbe, ServerFeature } from '../../../src/features/feature.ts'

const ROLES = [CLIENT, SERVER]
const PROBES_A_SECOND = 5
/** Connects, prints the size of a segment as ` mss:1448`, closes; `$1` to `$3` are address, port and count. */
const PROBE =
  'for i in $(seq $3); do exec 3<>/dev/tcp/$1/$2; ss -tinH state established dst $1 | grep -o " mss:[0-9]*"; exec 3>&-; sleep 0.2; done'

const runProbe: RunBenchmark = async ({ address, benchmark, seconds, repeat }, performance) => {
  const startedAt = performance.now()
  const seen: number[] = []
  const argv = ['bash', '-c', PROBE, 'probe', address, `${benchmark['port']}`, `${seconds * PROBES_A_SECOND}`]
  for await (const item of performance.testbed.exec(CLIENT, argv, performance)) {
    if (item.type !== 'line') continue
    const [, digits] = /^ mss:(\d+)$/.exec(item.text) ?? []
    if (digits === undefined) continue
    seen.push(Number(digits))
    const sample = {
      atSeconds: seen.length / PROBES_A_SECOND,
      seconds: null,
      omitted: false,
      values: { segmentPayload: Number(digits) },
    }
    performance.emit({ type: 'sample.taken', repeat, sample })
  }
  if (seen.length === 0) throw new LabError('tool_failed', 'ss printed no segment size.', 'Read its output.')
  return { startedAt, elapsedSeconds: seconds, values: { segmentPayload: Math.min(...seen) }, after: null }
}

/** Follows the first packet of a connection from one node to the other. */
const handshake: RunProbe = async ({ pods, show, capture }) => {
  const address = podOf(pods.placement, SERVER)?.addresses.ipv4 ?? ''
  const filter = ['tcp', 'dst', 'port', '12865']
  const nodes = pods.placement.pods.map(({ node }) => node)
  const watches = nodes.map((node) => ({ node, device: 'eth0', filter, isLast: () => true }))
  const { result, frames } = await capture(watches, () =>
    pods.ask(CLIENT, ['bash', '-c', PROBE, 'probe', address, '12865', '1']),
  )
  const sizes = result.lines.map((line) => /^ mss:(\d+)$/.exec(line)?.[1] ?? '')
  show({ kind: 'table', title: 'What ss says', columns: ['Connection', 'Segment'], rows: [['1', ...sizes]], more: 0 })
  const [before, after] = nodes.map((where, place) => {
    const bytes = frames[place]?.[0]?.bytes ?? new Uint8Array()
    return { where, head: Buffer.from(bytes.subarray(networkAt(bytes))).toString('hex') }
  })
  if (before === undefined || after === undefined) throw new Error('a connection has two ends')
  show({ kind: 'packets', title: 'The first packet on both nodes', before, after })
  const observations = [
    { label: 'the connection', expected: 'open', seen: result.ok ? 'open' : 'closed', ok: result.ok },
  ]
  return { sentence: 'The connection was opened.', observations }
}

export const segmentSize = {
  id: 'segment-size',
  observe: () => [],
  podSettings: [
    {
      settings: ['segment-limit'],
      async set({ 'segment-limit': value = null }, { run }) {
        if (value === null) return
        const change = 'ip route change $(ip -4 route show default) advmss "$1"'
        for (const role of ROLES) await run(role, ['sh', '-c', change, 'limit', `${value}`])
      },
      async read({ run }) {
        const limits = new Set<number | null>()
        for (const role of ROLES) {
          const [, limit] = /advmss (\d+)/.exec(await run(role, ['ip', '-4', 'route', 'show', 'default'])) ?? []
          limits.add(limit === undefined ? null : Number(limit))
        }
        const [limit = null, ...others] = limits
        if (others.length > 0) throw new LabError('datapath_not_taken', 'The pods have two limits.', 'Deploy again.')
        return { 'segment-limit': limit }
      },
    },
  ],
  runners: { 'segment-probe': runProbe },
  probes: { handshake },
  observeCapture: null,
  sentences: null,
} as const satisfies ServerFeature
