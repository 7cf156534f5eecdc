import { i18n } from '@expresslane/shared/base/language'
import { Fragment } from 'react'
import { keyHelp } from '../keys.ts'
import classes from './overlay.module.css'
import { Overlay } from './overlay.tsx'

/** All keys of a presentation. */
export function KeyList({ onClose }: { onClose: () => void }) {
  return (
    <Overlay title={i18n.t('Keys')} onClose={onClose}>
      <dl className={classes.keys}>
        {keyHelp().map(([keys, does]) => (
          <div key={does} className="row baseline one-line">
            <dt className="no-wrap">
              {keys.map((key) => (
                <Fragment key={key}>
                  <kbd>{key}</kbd>{' '}
                </Fragment>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Overlay>
  )
}
