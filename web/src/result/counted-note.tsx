import { i18n } from '@expresslane/shared/base/language'
import { anyCounted, COUNTED_TITLE, countedNotes } from '@expresslane/shared/measure/counted-words'
import { takenIn, type RunState } from '@expresslane/shared/run/run-state'

/** A note on instructions instead of time in these runs; nothing for a clock that shows time. */
export function CountedNote({ runs }: { runs: readonly Pick<RunState, 'repeats' | 'comparisons'>[] }) {
  const compared = runs.flatMap(({ comparisons }) => comparisons.map(({ comparison }) => comparison))
  if (!anyCounted(runs.flatMap(takenIn), compared)) return null
  return (
    <details>
      <summary>{i18n.t(COUNTED_TITLE)}</summary>
      {countedNotes.map((note) => (
        <p key={note} className="muted readable">
          {i18n.t(note)}
        </p>
      ))}
    </details>
  )
}
