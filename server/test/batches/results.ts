/** Results of cells, as the headless program writes them. */
import type { BatchCell, CellResult } from '@expresslane/shared/wire/batch'
import { cellResult } from '@expresslane/shared/wire/batch'
import { environment } from '@expresslane/shared/test/builders'
import { caseCompared } from '@expresslane/shared/test/compare/case-compared'

const { versions } = environment()

/** @param on the median of the second arm; that of the first is 1,000 */
export function resultOf({ kernel, case: only }: BatchCell, on: number, where = 'this machine'): CellResult {
  const facts = {
    kind: 'counted',
    name: 'counted machine',
    incarnation: 'i',
    kernel: kernel ?? '6.12.117+deb13-cloud-amd64',
    os: 'Linux',
    cpu: { model: 'x', count: 1, governor: null },
    load: null,
    nodes: [],
    versions: { ...versions, 'kernel package': '1-1' },
  }
  const arms = { against: 'off', arm: 'on', tool: 'tcp-rr', metric: 'countedTps', off: 1000, on }
  const one = caseCompared({ caseId: only ?? 'ipv4', ...arms })
  const [row] = one.comparison.rows
  return cellResult.parse({
    kernel,
    case: only,
    where,
    result: {
      lab: 'how-big',
      testbed: { kind: 'counted', kernel: facts.kernel, facts },
      arms: [],
      comparisons: [{ ...one, step: 'measure' }],
      comparison: {
        metric: row?.metric,
        off: row?.off,
        on: row?.on,
        changePercent: row?.changePercent,
        ratio: row?.ratio,
        interval: null,
        p: null,
        adjustedP: null,
        effectSize: null,
        verdict: row?.verdict,
        sentence: 'It is faster.',
      },
      plans: [],
      captures: [],
      exhibits: [],
    },
  })
}
