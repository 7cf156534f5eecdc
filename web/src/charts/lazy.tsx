/** The charts, loaded apart: Recharts is larger than all the rest of the page. */
import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { CompareBarsProps } from './compare-bars.tsx'
import type { LiveChartProps } from './live-chart.tsx'
import classes from './charts.module.css'

const loadLive = () => import('./live-chart.tsx')
const loadBars = () => import('./compare-bars.tsx')
const LazyLiveChart = lazy(() => loadLive().then((part) => ({ default: part.LiveChart })))
const LazyCompareBars = lazy(() => loadBars().then((part) => ({ default: part.CompareBars })))

/** Fetches the charts before they are needed, so that the first sample finds its chart ready. */
export function preloadCharts(): void {
  void loadLive()
  void loadBars()
}

export function LiveChart(props: LiveChartProps) {
  return (
    <Suspense fallback={<Skeleton className={classes.tps ?? ''} />}>
      <LazyLiveChart {...props} />
    </Suspense>
  )
}

export function CompareBars(props: CompareBarsProps) {
  return (
    <Suspense fallback={<Skeleton className={classes.bars ?? ''} />}>
      <LazyCompareBars {...props} />
    </Suspense>
  )
}
