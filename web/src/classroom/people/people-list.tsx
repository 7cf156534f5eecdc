import { i18n } from '@expresslane/shared/base/language'
import { formatFixed } from '@expresslane/shared/base/units'
import { Button } from '../../components/controls.tsx'
import { formatRatio } from '@expresslane/shared/compare/words'
import type { Standing } from '../standing.ts'
import classes from './people.module.css'
import { StateWords } from './state-words.tsx'

interface PeopleListProps {
  lines: readonly Standing[]
  /** When the board was read, in milliseconds since the epoch. */
  at: number
  onOpen: (person: string) => void
}

/** A line for each person of the room: the step, the state and the result in the chosen lab. */
export function PeopleList({ lines, at, onOpen }: PeopleListProps) {
  return (
    <div className="container">
      <div className={`${classes.head} muted medium`} aria-hidden>
        <span>{i18n.t('Name')}</span>
        <span>{i18n.t('Step')}</span>
        <span>{i18n.t('State')}</span>
        <span className="right">{i18n.t('Result')}</span>
      </div>
      <ul role="list" aria-label={i18n.t('Participants')}>
        {lines.map((line) => (
          <Line key={line.person.id} line={line} at={at} onOpen={onOpen} />
        ))}
      </ul>
    </div>
  )
}

function Line({ line, at, onOpen }: Pick<PeopleListProps, 'at' | 'onOpen'> & { line: Standing }) {
  const { person, step, kind, seat } = line
  const result = seat?.result ?? null
  return (
    <li className={`${classes.line} ruled`} data-kind={kind}>
      <span className={`${classes.name} row baseline tight one-line medium break-anywhere`}>
        <Presence online={person.online} />
        <span>{person.name}</span>
      </span>
      <span className={`${classes.step} muted break-anywhere`}>
        {step === null ? '' : i18n.t('{number} of {of}: {title}', step)}
      </span>
      <StateWords standing={line} at={at} />
      <span className="right numbers">{result !== null && <Ratio result={result} />}</span>
      <Button
        className={classes.open}
        variant="default"
        size="compact-md"
        aria-label={i18n.t('Help {name}', { name: person.name })}
        onClick={() => onOpen(person.id)}
      >
        {i18n.t('Help')}
      </Button>
    </li>
  )
}

/** Whether a page of theirs is connected: a filled dot or a ring. */
function Presence({ online }: { online: boolean }) {
  const text = online ? i18n.t('online') : i18n.t('offline')
  return (
    <span className={`${classes.presence} fixed`} data-online={online} title={text}>
      <span className="hidden">{text}: </span>
    </span>
  )
}

type Result = NonNullable<NonNullable<Standing['seat']>['result']>

/** `×1.42 (1.31 to 1.55)` */
export function Ratio({ result: { ratio, low, high } }: { result: Result }) {
  return (
    <>
      <strong>{formatRatio(ratio)}</strong>
      {low !== null && high !== null && (
        <span className="block muted">
          {' '}
          {i18n.t('{low} to {high}', { low: formatFixed(low, 2), high: formatFixed(high, 2) })}
        </span>
      )}
    </>
  )
}
