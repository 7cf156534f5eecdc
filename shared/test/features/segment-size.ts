/** A feature that no product file knows: a limit on TCP's segments, which a route advertises to its peers. */
import { z } from 'zod'
import type { Feature } from '../../src/features/feature.ts'
import { defineTool } from '../../src/measure/benchmark.ts'
import { defineMetric } from '../../src/measure/define-metric.ts'
import { valuesOf } from '../../src/measure/measurement.ts'
import type { SettingValue } from '../../src/base/settings.ts'

const LIMIT = 'segment-limit'
const PAYLOAD = 'segmentPayload'

function words(value: SettingValue | undefined): string {
  return typeof value === 'number' ? `at most ${value} bytes` : 'as the MTU allows'
}

export const segmentSize = {
  id: 'segment-size',
  name: 'Segment size',
  capabilities: [],
  settings: [
    {
      id: LIMIT,
      label: 'Segment limit',
      schema: z.number().int().min(256).max(9_000).nullable(),
      off: null,
      capability: null,
      column: 'segment_limit',
      format: words,
      control: {
        kind: 'choice',
        options: [
          [null, 'none'],
          [536, '536 bytes'],
          [1_000, '1,000 bytes'],
        ],
      },
    },
  ],
  roles: ['client', 'server'],
  metrics: [
    defineMetric({
      id: PAYLOAD,
      name: 'Payload of a segment',
      short: 'Segment payload',
      noun: 'the payload of a segment',
      type: 'size',
      unit: 'octets',
      better: 'more',
      format: (value) => `${value.toFixed(0)} octets`,
      step: () => 1,
      column: 'segment_payload_octets',
      source: 'ss',
    }),
  ],
  benchmarks: [
    defineTool({
      tool: 'segment-probe',
      name: 'segment probe',
      does: 'connects and asks ss for the size of a segment',
      schema: z.strictObject({ tool: z.literal('segment-probe'), port: z.number().int().min(1).max(65_535) }),
      parameters: [{ key: 'port', column: 'probe_port' }],
      compared: [PAYLOAD],
      caption: 'octets a segment',
      describe: ({ port }) => ({ label: 'Port', value: String(port) }),
      usual: { tool: 'segment-probe', port: 12_865 },
      subject: () => 'segments between the pods',
      wholeSeconds: true,
    }),
  ],
  probes: [{ id: 'handshake', needs: ['capture'] }],
  proof: ({ settings, measurements }) => {
    const limit = settings[LIMIT]
    const seen = valuesOf(measurements, PAYLOAD)
    const small = typeof limit === 'number' ? limit : null
    return [
      {
        label: 'payload of a segment',
        expected: small === null ? 'more than 1,000 octets' : `at most ${small} octets`,
        seen: seen.length === 0 ? 'unknown' : seen.join(', '),
        ok: seen.length > 0 && seen.every((one) => (small === null ? one > 1_000 : one <= small)),
      },
    ]
  },
  nameArm: ({ [LIMIT]: limit }) =>
    typeof limit === 'number'
      ? { id: `limit-${limit}`, label: `Segments of ${limit}` }
      : { id: 'no-limit', label: 'Segments without a limit' },
  phrase: ({ [LIMIT]: limit }) =>
    typeof limit === 'number' ? `with segments of ${limit} bytes` : 'without a segment limit',
} as const satisfies Feature
