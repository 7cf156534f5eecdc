import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { BrowserRouter } from 'react-router'
import { StoreContext } from './api/live.tsx'
import type { Store } from './api/store.ts'
import { PageRoutes } from './routes.tsx'

/** The page with its providers. */
export function App({ store, queries }: { store: Store; queries: QueryClient }) {
  return (
    <QueryClientProvider client={queries}>
      <StoreContext value={store}>
        <BrowserRouter>
          <PageRoutes />
        </BrowserRouter>
      </StoreContext>
    </QueryClientProvider>
  )
}
