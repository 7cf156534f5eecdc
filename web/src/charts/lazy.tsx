/** The charts, loaded apart: Recharts is larger than all the rest of the page. */
import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { CompareBarsProps } from './compare-bars.tsx'
import type { TpsChartProps } from './tps-chart.tsx'
import classes from './charts.module.css'

const loadTps = () => import('./tps-chart.tsx')
const loadBars = () => import('./compare-bars.tsx')
const LazyTpsChart = lazy(() => loadTps().then((part) => ({ default: part.TpsChart })))
const LazyCompareBars = lazy(() => loadBars().then((part) => ({ default: part.CompareBars })))

/** Fetches the charts before they are needed, so that the first sample finds its chart ready. */
export function preloadCharts(): void {
  void loadTps()
  void loadBars()
}

export function TpsChart(props: TpsChartProps) {
  return (
    <Suspense fallback={<Skeleton className={classes.tps ?? ''} />}>
      <LazyTpsChart {...props} />
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
