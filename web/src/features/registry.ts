/**
 * The views of all features, by feature id. A feature without an entry has the views that fit any feature. The body of the path panel
 * needs no entry: it is `PathView` in `<id>/path/path-view.tsx`.
 */
import { lazy, type ComponentType } from 'react'
import { deviceColumns } from './big-tcp/device-columns.ts'
import { PacketsView } from './big-tcp/packets/packets-view.tsx'
import type { FeatureViews, PathView, PathViewProps, PiecesView } from './views.ts'

export const featureViews: Readonly<Record<string, FeatureViews>> = {
  'big-tcp': { devices: deviceColumns, Capture: PacketsView },
  'tunnel-path': { devices: deviceColumns },
}

const paths = import.meta.glob<ComponentType<PathViewProps>>('./*/path/path-view.tsx', { import: 'PathView' })

/** The bodies of the path panel. */
export const pathViews: Readonly<Record<string, PathView>> = Object.fromEntries(
  Object.entries(paths).map(([file, load]): [string, PathView] => [
    file.split('/')[1] ?? '',
    lazy(async () => ({ default: await load() })),
  ]),
)

/** The packets of each message of a request. */
export const piecesViews: Readonly<Record<string, PiecesView>> = {
  'big-tcp': lazy(async () => ({ default: (await import('./big-tcp/packets/packet-charts.tsx')).MessagePieces })),
}
