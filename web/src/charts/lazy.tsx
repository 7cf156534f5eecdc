/** The charts, loaded on demand: Recharts is larger than the rest of the page. */
import { Skeleton } from '../components/controls.tsx'
import { lazy } from 'react'
import type { CompareBarsProps } from './compare-bars.tsx'
import type { LiveChartProps } from './live-chart.tsx'
import classes from './charts.module.css'
import { OnDemand } from '../components/on-demand.tsx'

const loadLive = () => import('./live-chart.tsx')
const loadBars = () => import('./compare-bars.tsx')
const LazyLiveChart = lazy(() => loadLive().then((part) => ({ default: part.LiveChart })))
const LazyCompareBars = lazy(() => loadBars().then((part) => ({ default: part.CompareBars })))

/** Loads the charts in advance, so that the first sample appears without delay. */
export function preloadCharts(): void {
  void loadLive()
  void loadBars()
}

export function LiveChart(props: LiveChartProps) {
  return (
    <OnDemand fallback={<Skeleton className={classes.tps} />}>
      <LazyLiveChart {...props} />
    </OnDemand>
  )
}

export function CompareBars(props: CompareBarsProps) {
  return (
    <OnDemand fallback={<Skeleton className={classes.bars} />}>
      <LazyCompareBars {...props} />
    </OnDemand>
  )
}
