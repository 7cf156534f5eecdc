/** A lab of ten steps whose texts take 15 to 60 seconds to read; the second has no action. */

import { lab as schema, step } from '../../../src/labs/lab.ts'

const words = [75, 45, 60, 90, 120, 180, 60, 75, 150, 90]

export const lab = schema.parse({
  id: 'simulated',
  title: 'A simulated lab',
  question: 'Where does the room get stuck?',
  summary: 'Ten steps.',
  feature: 'big-tcp',
  families: ['ipv4'],
  arms: ['off', 'on'].map((id) => ({ id, label: id, settings: { 'big-tcp-ipv4': id === 'on' } })),
  listed: true,
  minutes: 30,
  needs: [],
  steps: words.map((count, index) =>
    step.parse({
      id: `step-${index + 1}`,
      title: `Step ${index + 1}`,
      prose: Array.from({ length: count }, () => 'word').join(' '),
      commands: [],
      action: index === 1 ? null : { kind: 'preflight' },
      actionLabel: index === 1 ? null : 'Check',
      hint: null,
    }),
  ),
})
