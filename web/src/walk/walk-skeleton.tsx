import { Skeleton } from '../components/controls.tsx'
import classes from './walk.module.css'

/** A placeholder while the walk loads. */
export function WalkSkeleton() {
  return (
    <div className={`${classes.walk} stack apart`}>
      <div className="all-columns">
        <h1 className="hidden">Loading the lab</h1>
        <Skeleton height={34} width="min(340px, 80%)" />
      </div>
      <Skeleton height={420} />
      <Skeleton height={520} />
      <Skeleton height={420} className={classes.path} />
    </div>
  )
}
