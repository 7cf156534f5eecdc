import { i18n } from '@expresslane/shared/base/language'
import { capitalized } from '@expresslane/shared/features/words'
import { kindOf, propertiesOf } from '@expresslane/shared/testbed/id'
import type { TestbedKind } from '@expresslane/shared/testbed/testbed'
import { testbedName } from '../words/format.ts'
import { canMend, reasonOf, sharedReasons } from './availability.ts'
import classes from './start.module.css'
import { wayOf, type Offer, type ReadTestbed } from './ways.ts'

/** The id of the state of a place, to link to. */
export function placeId(kind: TestbedKind): string {
  return `place-${kind}`
}

interface PlaceChoiceProps {
  offer: Offer
  chosen: ReadTestbed | undefined
  onChoose: (kind: TestbedKind) => void
}

/** Chooses the place for all labs of the page. Each place says how many labs it can run, or why it can't be used. */
export function PlaceChoice({ offer, chosen, onChoose }: PlaceChoiceProps) {
  return (
    <fieldset className={classes.places}>
      <legend className="heading strong">{i18n.t('Where to run the labs')}</legend>
      <div className={classes.options}>
        {offer.places.map((place) => {
          const kind = kindOf(place.id)
          return (
            <div key={kind} className={`${classes.place} surface`} data-chosen={place === chosen}>
              <label className="row one-line strong break-anywhere">
                <input
                  type="radio"
                  name="place"
                  checked={place === chosen}
                  aria-describedby={placeId(kind)}
                  onChange={() => onChoose(kind)}
                />
                {capitalized(testbedName(place.id))}
              </label>
              <p id={placeId(kind)} className="muted break-anywhere">
                <PlaceState place={place} offer={offer} />
              </p>
            </div>
          )
        })}
      </div>
    </fieldset>
  )
}

function PlaceState({ place, offer }: { place: ReadTestbed; offer: Offer }) {
  const { id, testbed, failed } = place
  const { isRecorded } = propertiesOf(id)
  const ways = offer.labs.map((lab) => wayOf(lab, place, offer))
  if (!isRecorded && testbed === null) return failed ? i18n.t('no response') : i18n.t('checking…')
  if (ways.some(({ possible }) => possible === null)) return i18n.t('checking…')
  const shared = isRecorded || testbed === null ? null : sharedReasons(offer.labs, testbed)
  if (shared !== null && !shared.possible) {
    return (
      <>
        {reasonOf(shared)}{' '}
        {(canMend(shared) || shared.lacking.length > 0) && <a href={`#${kindOf(id)}`}>{i18n.t('How to fix it')}</a>}
      </>
    )
  }
  const counts = { able: ways.filter(({ possible }) => possible).length, count: ways.length }
  return isRecorded
    ? i18n.t('plays {able} of {count, plural, one {# lab} other {# labs}}', counts)
    : i18n.t('runs {able} of {count, plural, one {# lab} other {# labs}}', counts)
}
