import { lazy } from 'react'
import { Route, Routes } from 'react-router'
import { WorkshopBar } from './classroom/index.ts'
import { Frame } from './components/frame/frame.tsx'
import { PageSkeleton } from './components/frame/page-skeleton.tsx'
import { CataloguePage } from './pages/catalogue-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { OnDemand } from './components/on-demand.tsx'

// The catalogue at `/` is part of the first load; the other pages load on demand.
const LabPage = lazy(() => import('./pages/lab-page.tsx').then((page) => ({ default: page.LabPage })))
const BenchPage = lazy(() => import('./pages/bench-page.tsx').then((page) => ({ default: page.BenchPage })))
const HistoryPage = lazy(() => import('./pages/history-page.tsx').then((page) => ({ default: page.HistoryPage })))
const FoundPage = lazy(() => import('./pages/found-page.tsx').then((page) => ({ default: page.FoundPage })))
const RunPage = lazy(() => import('./pages/run-page.tsx').then((page) => ({ default: page.RunPage })))
const RoomPage = lazy(() => import('./pages/room-page.tsx').then((page) => ({ default: page.RoomPage })))
const ComparePage = lazy(() => import('./pages/compare-page.tsx').then((page) => ({ default: page.ComparePage })))

export function PageRoutes() {
  return (
    <Frame workshopBar={<WorkshopBar />}>
      <OnDemand fallback={<PageSkeleton />}>
        <Routes>
          <Route path="/" element={<CataloguePage />} />
          <Route path="/labs/:labId/sessions/:sessionId/:stepId?" element={<LabPage />} />
          <Route path="/bench" element={<BenchPage />} />
          <Route path="/history" element={<HistoryPage />} />
          <Route path="/found" element={<FoundPage />} />
          <Route path="/runs/:runId" element={<RunPage />} />
          <Route path="/compare" element={<ComparePage />} />
          <Route path="/room/*" element={<RoomPage />} />
          <Route path="*" element={<NotFoundPage />} />
        </Routes>
      </OnDemand>
    </Frame>
  )
}
