/** The second page of this application: for people who follow a talk on a phone. */
import './follow.css'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { reloadWhenRestored } from './api/log-out.ts'
import { connectStore, StoreContext } from './api/live.tsx'
import { FollowPage, JoinPage } from './follow/index.ts'
import { loadLanguage } from './words/language.tsx'

// Zod compiles its parsers with `new Function`, which the CSP forbids; `jitless` turns that off.
z.config({ jitless: true })

reloadWhenRestored()

const root = document.getElementById('root')
if (root === null) throw new Error('follow.html has no #root')
const page = createRoot(root)

function show(): void {
  document.getElementById('loading')?.remove()
  page.render(
    window.location.pathname === '/join' ? (
      <JoinPage />
    ) : (
      <StoreContext.Provider value={connectStore()}>
        <FollowPage />
      </StoreContext.Provider>
    ),
  )
}
void loadLanguage().then(show)
