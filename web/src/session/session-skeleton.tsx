import { i18n } from '@expresslane/shared/base/language'
import { Skeleton } from '../components/controls.tsx'
import classes from './session-view.module.css'

/** A placeholder while the session loads. */
export function SessionSkeleton() {
  return (
    <div className={`${classes.view} stack apart`}>
      <div className="all-columns">
        <h1 className="hidden">{i18n.t('Loading the lab')}</h1>
        <Skeleton height={34} width="min(340px, 80%)" />
      </div>
      <Skeleton height={420} />
      <Skeleton height={520} />
      <Skeleton height={420} className={classes.path} />
    </div>
  )
}
