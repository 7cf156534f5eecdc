/** A small feature that no product file knows: one setting, one metric, one tool. It imports nothing that reads the registry. */
import { z } from 'zod'
import type { Feature } from '../../src/features/feature.ts'

export const METRIC = 'napsPerMinute'
export const TOOL = 'nap-loop'

export const naps: Feature = {
  id: 'naps',
  name: 'Naps',
  settings: [
    {
      id: 'nap-length',
      label: 'Length of a nap',
      schema: z.number().int().min(0).max(60),
      off: 0,
      capability: null,
      format: (value) => `${String(value)} s`,
      control: {
        kind: 'choice',
        options: [
          [0, 'none'],
          [10, '10 s'],
        ],
      },
    },
  ],
  capabilities: [],
  roles: ['client'],
  metrics: [
    {
      id: METRIC,
      name: 'Naps',
      short: 'Naps',
      noun: 'naps',
      unit: '1/min',
      better: 'more',
      counted: 'absent',
      words: { more: 'sleepier', less: 'more awake' },
      format: (value) => `${value.toFixed(0)} naps a minute`,
      say: (value) => `${value.toFixed(0)} naps a minute`,
      axis: { title: 'Naps a minute', unit: 'naps', divisor: 1 },
      step: () => 1,
      column: 'naps_per_minute',
      source: 'sleep',
    },
  ],
  benchmarks: [
    {
      tool: TOOL,
      name: 'nap loop',
      does: 'one nap after another',
      schema: z.strictObject({ tool: z.literal(TOOL), pillow: z.boolean() }),
      parameters: [{ key: 'pillow', column: 'pillow' }],
      compared: [METRIC],
      charts: [[METRIC]],
      beside: [METRIC],
      figures: [METRIC],
      columns: [METRIC],
      brief: [METRIC],
      live: METRIC,
      caption: 'naps a minute',
      sampled: [],
      note: null,
      describe: ({ pillow }) => ({ label: 'Pillow', value: pillow === true ? 'yes' : 'no' }),
      usual: { tool: TOOL, pillow: true },
      subject: () => 'naps on a sofa',
      wholeSeconds: true,
      capability: null,
    },
  ],
  proof: () => [],
  probes: [{ id: 'pulse', needs: [] }],
  nameArm: () => ({ id: 'nap', label: 'Nap' }),
  phrase: () => 'with a nap',
}
