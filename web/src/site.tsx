/** The static viewer's entry: the app's pages on recordings that are open in this tab. */
import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy } from 'react'
import { createRoot } from 'react-dom/client'
import { HashRouter, Route, Routes } from 'react-router'
import { z } from 'zod'
import { saveFiles } from './api/embedded.ts'
import { StoreContext } from './api/live.tsx'
import { createQueryClient } from './api/queries.ts'
import { preloadCharts } from './charts/lazy.tsx'
import { PageSkeleton } from './components/frame/page-skeleton.tsx'
import { OnDemand } from './components/on-demand.tsx'
import { RecordingBar, type RecordingBannerProps } from './recordings/index.ts'
import {
  createTab,
  openAddressed,
  ReportPage,
  shippedWithSite,
  StartPage,
  TabContext,
  ViewerFrame,
  TimelineBar,
  useMeasured,
  useRunLinks,
  type Wanted,
} from './viewer/index.ts'
import { loadLanguage } from './words/language.tsx'

const loadLabPage = () => import('./pages/lab-page.tsx')
const LabPage = lazy(() => loadLabPage().then((page) => ({ default: page.LabPage })))
const RunPage = lazy(() => import('./pages/run-page.tsx').then((page) => ({ default: page.RunPage })))
const ComparePage = lazy(() => import('./pages/compare-page.tsx').then((page) => ({ default: page.ComparePage })))
const NotFoundPage = lazy(() => import('./pages/not-found-page.tsx').then((page) => ({ default: page.NotFoundPage })))

z.config({ jitless: true })
saveFiles()

const shipped = shippedWithSite()
/** Each page says itself when it can't be loaded. */
function preload(): void {
  void loadLabPage().catch(() => undefined)
  preloadCharts()
}
const tab = createTab(shipped, preload)
const queries = createQueryClient()
const timelineBar = (props: RecordingBannerProps) => <TimelineBar {...props} />

const Compared = () => <ComparePage runs={useMeasured()} />
const Run = () => <RunPage linksOf={useRunLinks()} />

function Site({ wanted }: { wanted: Wanted }) {
  return (
    <QueryClientProvider client={queries}>
      <StoreContext value={tab.store}>
        <TabContext value={tab}>
          <RecordingBar value={timelineBar}>
            <HashRouter>
              <ViewerFrame>
                <OnDemand fallback={<PageSkeleton />}>
                  <Routes>
                    <Route path="/" element={<StartPage wanted={wanted} shipped={shipped} />} />
                    <Route path="/labs/:labId/sessions/:sessionId/:stepId?" element={<LabPage />} />
                    <Route path="/runs/:runId" element={<Run />} />
                    <Route path="/compare" element={<Compared />} />
                    <Route path="/reports/:name" element={<ReportPage />} />
                    <Route path="*" element={<NotFoundPage />} />
                  </Routes>
                </OnDemand>
              </ViewerFrame>
            </HashRouter>
          </RecordingBar>
        </TabContext>
      </StoreContext>
    </QueryClientProvider>
  )
}

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
const page = createRoot(root)
void loadLanguage()
  .then(() => openAddressed(tab))
  .then((wanted) => page.render(<Site wanted={wanted} />))
