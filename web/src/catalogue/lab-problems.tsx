import { i18n } from '@expresslane/shared/base/language'
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
    <ul role="list" className={classes.files} aria-label={i18n.t('Labs with errors')}>
      {byFile(problems).map(([file, found]) => (
        <li key={file}>
          <Notice
            tone="bad"
            title={i18n.t('{file} has {count, plural, one {an error} other {# errors}}', { file, count: found.length })}
          >
            <ul role="list" className={classes.lines}>
              {found.slice(0, SHOWN).map(({ line, column, message }) => (
                <li key={`${line}:${column}:${message}`}>
                  <span className="block muted numbers">
                    {i18n.t('line {line}, column {column}', { line, column })}
                  </span>
                  {message}
                </li>
              ))}
            </ul>
            {found.length > SHOWN && <p>{i18n.t('And {count} more.', { count: found.length - SHOWN })}</p>}
            <p>{i18n.t('Correct the file and save it. This page updates automatically.')}</p>
          </Notice>
        </li>
      ))}
    </ul>
  )
}
