import type { LabProblem } from '@expresslane/shared/labs/problem'
import { Notice } from '../components/notice.tsx'
import classes from './lab-problems.module.css'

/** Further errors mostly follow from the first ones. */
const SHOWN = 8

function byFile(problems: readonly LabProblem[]): [string, LabProblem[]][] {
  return [...Map.groupBy(problems, ({ file }) => file)]
}

/** Errors in lab files: one notice per file, one line per error. */
export function LabProblems({ problems }: { problems: readonly LabProblem[] }) {
  return (
    <ul role="list" className={classes.files} aria-label="Labs with errors">
      {byFile(problems).map(([file, found]) => (
        <li key={file}>
          <Notice tone="bad" title={`${file} has ${found.length === 1 ? 'an error' : `${found.length} errors`}`}>
            <ul role="list" className={classes.lines}>
              {found.slice(0, SHOWN).map(({ line, column, message }) => (
                <li key={`${line}:${column}:${message}`}>
                  <span className="block muted numbers">
                    line {line}, column {column}
                  </span>
                  {message}
                </li>
              ))}
            </ul>
            {found.length > SHOWN && <p>And {found.length - SHOWN} more.</p>}
            <p>Correct the file and save it. This page updates automatically.</p>
          </Notice>
        </li>
      ))}
    </ul>
  )
}
