/** The page of a report is loaded with the first report. */
import { lazy } from 'react'

export const ReportPage = lazy(() => import('./report-page.tsx').then((page) => ({ default: page.ReportPage })))
