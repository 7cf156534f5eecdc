import { MantineProvider } from '@mantine/core'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { BrowserRouter } from 'react-router'
import { StoreContext } from './api/live.tsx'
import type { Store } from './api/store.ts'
import { PageRoutes } from './routes.tsx'
import { theme } from './mantine-theme.ts'

/** The page with its providers. */
export function App({ store, queries }: { store: Store; queries: QueryClient }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={queries}>
        <StoreContext value={store}>
          <BrowserRouter>
            <PageRoutes />
          </BrowserRouter>
        </StoreContext>
      </QueryClientProvider>
    </MantineProvider>
  )
}
