/** A small feature that no product file knows: one setting, and one tool with a metric of its own. */
import { z } from 'zod'
import type { Feature } from '../../src/features/feature.ts'
import { defineTool } from '../../src/measure/benchmark.ts'
import { defineMetric } from '../../src/measure/define-metric.ts'

export const METRIC = 'napsPerMinute'
export const TOOL = 'nap-loop'

export const napLoop = defineTool({
  tool: TOOL,
  name: 'nap loop',
  does: 'one nap after another',
  schema: z.strictObject({ tool: z.literal(TOOL), pillow: z.boolean() }),
  metrics: [
    defineMetric({
      id: METRIC,
      name: 'Naps',
      type: 'rate',
      unit: 'naps a minute',
      counted: 'absent',
      words: { more: 'sleepier', less: 'more awake' },
      step: () => 1,
      column: 'naps_per_minute',
      source: 'sleep',
    }),
  ],
  parameters: [{ key: 'pillow', column: 'pillow' }],
  compared: [METRIC],
  caption: 'naps a minute',
  describe: ({ pillow }) => ({ label: 'Pillow', value: pillow === true ? 'yes' : 'no' }),
  usual: { tool: TOOL, pillow: true },
  subject: () => 'naps on a sofa',
  wholeSeconds: true,
})

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
  metrics: [],
  benchmarks: [napLoop],
  proof: () => [],
  probes: [{ id: 'pulse', needs: [] }],
  nameArm: () => ({ id: 'nap', label: 'Nap' }),
  phrase: () => 'with a nap',
}
