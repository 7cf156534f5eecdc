import { i18n } from '@expresslane/shared/base/language'
import { armHue } from '@expresslane/shared/charts/draw/palette'
import type { Picture } from '@expresslane/shared/compare/comparison'
import classes from './lab-picture.module.css'

/** The result of a lab's recording: a dot for each measured value, all arms on one axis. */
export function LabPicture({ of, name }: { of: Picture; name: string }) {
  return (
    <figure className={`${classes.picture} container`}>
      <figcaption>
        <span className="strong block">{of.words}</span>
        <span className="muted">{i18n.t('{title}, in a recording', { title: of.title })}</span>
      </figcaption>
      <ul role="list" aria-label={i18n.t('Medians of the recording of {name}', { name })}>
        {of.arms.map(({ arm, label, place, median, at }) => (
          <li key={arm} className={classes.arm} data-hue={armHue(arm, place)}>
            <span className={classes.label}>{label}</span>
            <svg className={classes.plot} width="100%" height="20" aria-hidden>
              <line className={classes.axis} x1="0" x2="100%" y1="10" y2="10" />
              {at.map((value, index) => (
                // A value has no id other than its place in the order taken.
                <circle key={index} cx={`${3 + value * 94}%`} cy="10" r="5" />
              ))}
            </svg>
            <span className="right numbers no-wrap">{median}</span>
          </li>
        ))}
      </ul>
    </figure>
  )
}
