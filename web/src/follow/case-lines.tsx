import { caseScale } from '@expresslane/shared/compare/case-scale'
import type { Result } from '@expresslane/shared/run/result'
import type { ReactNode } from 'react'
import { MainLines } from '../experiment/index.ts'
import classes from './follow.module.css'

/** Lines over cases that differ by one number, with the bars of each case folded away; else only the bars. */
export function CaseLines({ result, children: bars }: { result: Result; children: ReactNode }) {
  if (caseScale(result.plan) === null) return bars
  return (
    <>
      <MainLines result={result} />
      <details>
        <summary>Show every case as bars</summary>
        <div className={classes.experiment}>{bars}</div>
      </details>
    </>
  )
}
