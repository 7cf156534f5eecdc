import { Skeleton } from '../components/controls.tsx'
import classes from './walk.module.css'

/** A placeholder while the walk loads. */
export function WalkSkeleton() {
  return (
    <div className={classes.walk}>
      <div className={classes.header}>
        <h1 className="hidden">Loading the lab</h1>
        <Skeleton height={34} width="min(340px, 80%)" />
      </div>
      <div className={classes.steps}>
        <Skeleton height={420} />
      </div>
      <div className={classes.step}>
        <Skeleton height={520} />
      </div>
      <div className={classes.path}>
        <Skeleton height={420} />
      </div>
    </div>
  )
}
