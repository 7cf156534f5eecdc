/** A comparison of two arms of an experiment, for what stands next to it. */
import { comparison, type CaseComparison } from '../../src/compare/comparison.ts'

interface Compared {
  readonly caseId: string
  readonly against: string
  readonly arm: string
  readonly tool: string
  readonly metric: string
  /** The medians of both arms. */
  readonly off: number
  readonly on: number
}

/** Too few repeats for a verdict. */
export function caseCompared({ caseId, against, arm, tool, metric, off, on }: Compared): CaseComparison {
  const side = (id: string) => ({ arm: id, name: id, runs: 4, warmups: 0, drift: null })
  const row = {
    metric,
    better: 'more',
    role: 'verdict',
    off,
    on,
    offValues: [off],
    onValues: [on],
    ratio: on / off,
    interval: null,
    changePercent: (on / off - 1) * 100,
    p: null,
    adjustedP: null,
    effectSize: null,
    resolution: null,
    verdict: 'too-few',
  }
  return {
    caseId,
    arm,
    against,
    comparison: comparison.parse({
      off: side(against),
      on: side(arm),
      order: 'interleaved',
      tool,
      rows: [row],
      verdict: 'too-few',
      control: { method: 'none', comparisons: 1 },
      sentence: 's',
      technical: 't',
      resamples: 1,
      seed: 1,
    }),
  }
}
