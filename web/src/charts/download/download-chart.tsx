import { i18n } from '@expresslane/shared/base/language'
import { Trans } from '#language'
import type { Chart, Frame } from '@expresslane/shared/charts/draw/chart'
import { useMutation } from '@tanstack/react-query'
import { IconDownload } from '../../icons.tsx'
import { DropMenu } from '../../components/drop-menu.tsx'
import { FetchProblem } from '../../components/problem-notice.tsx'
import { ChartView, type ChartViewProps } from '../chart-view.tsx'
import classes from '../charts.module.css'
import type { ImageKind } from './download-image.ts'

interface DownloadChartProps {
  /** Lays the chart out; null when there is no data yet. */
  draw: (frame: Frame) => Chart | null
  /** The name of the file without its extension. */
  name: string
}

/**
 * Saves a chart as a file: the data of the chart on the page, drawn as in the HTML report, independent of the theme and
 * width of the page.
 */
export function DownloadChart({ draw, name }: DownloadChartProps) {
  const save = useMutation({
    mutationFn: async (kind: ImageKind) => (await import('./download-image.ts')).saveChart(draw, name, kind),
  })
  return (
    <div className={`${classes.download} row`}>
      <DropMenu small label={i18n.t('Save chart')} icon={<IconDownload size={18} stroke={1.8} aria-hidden />}>
        <li>
          <button type="button" onClick={() => save.mutate('svg')}>
            <Trans id="SVG <0>sharp at any size</0>" components={{ 0: <small /> }} />
          </button>
        </li>
        <li>
          <button type="button" onClick={() => save.mutate('png')}>
            <Trans id="PNG <0>for slides and chats</0>" components={{ 0: <small /> }} />
          </button>
        </li>
      </DropMenu>
      {save.error !== null && <FetchProblem error={save.error} retry={() => save.reset()} />}
    </div>
  )
}

/** A chart that can be saved as a file. @param name of the file, without its extension */
export function SavedChart({ name, ...props }: ChartViewProps & { name: string }) {
  return (
    <div className="stack wide">
      <ChartView {...props} />
      <DownloadChart name={name} draw={props.of} />
    </div>
  )
}
