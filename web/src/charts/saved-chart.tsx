import { ChartView, type ChartViewProps } from './chart-view.tsx'
import classes from './chart-view.module.css'
import { DownloadChart } from './download/download-chart.tsx'

/** A chart that can be saved as a file. @param name of the file, without its extension */
export function SavedChart({ name, ...props }: ChartViewProps & { name: string }) {
  return (
    <div className={classes.saved}>
      <ChartView {...props} />
      <DownloadChart name={name} draw={props.of} />
    </div>
  )
}
