/** The unlisted lab of the Bench page: a learner's own experiment. */
import { features } from '@expresslane/shared/features/registry'
import type { Lab } from '@expresslane/shared/labs/lab'

/** No diagram, and no plan of a talk: the bench is never presented step by step. */
const silent = { diagram: null, notes: null, minutes: null, pauseSeconds: null, question: null }

export const bench: Lab = {
  id: 'bench',
  title: 'Bench',
  question: 'What do your own settings change?',
  summary: 'Your own experiment: choose the arms, benchmarks and design.',
  // A lab names a feature; a plan of this lab can switch any.
  feature: features.all()[0].id,
  families: ['ipv4', 'ipv6'],
  arms: [],
  listed: false,
  minutes: 5,
  track: null,
  needs: [],
  optional: [],
  steps: [
    {
      ...silent,
      id: 'run',
      title: 'Experiment',
      prose: 'Measures every benchmark under every arm in the order of the design, and compares the arms.',
      commands: [],
      action: {
        kind: 'experiment',
        plan: null,
        repeats: { default: 8, min: 1, max: 50 },
        seconds: { default: 0.5, min: 0.5, max: 120 },
      },
      actionLabel: 'Run',
      hint: 'Check the values above. If one is not as expected, the settings of its arm did not take effect.',
    },
    {
      ...silent,
      id: 'restore',
      title: 'Restore',
      prose: 'Restores the original settings and removes the pods.',
      commands: [],
      action: { kind: 'restore' },
      actionLabel: 'Restore',
      hint: 'Run Restore again. The original settings are kept until it succeeds.',
    },
  ],
}
