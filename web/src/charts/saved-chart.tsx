import { ChartView, type ChartViewProps } from './chart-view.tsx'
import { DownloadChart } from './download/download-chart.tsx'

/** A chart that can be saved as a file. @param name of the file, without its extension */
export function SavedChart({ name, ...props }: ChartViewProps & { name: string }) {
  return (
    <div>
      <ChartView {...props} />
      <DownloadChart name={name} draw={props.of} />
    </div>
  )
}
