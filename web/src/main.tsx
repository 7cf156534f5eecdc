import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './base.css'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { saveFilesWhenEmbedded } from './api/embedded.ts'
import { reloadWhenRestored } from './api/log-out.ts'
import { connectStore } from './api/live.tsx'
import { createQueryClient } from './api/queries.ts'
import { App } from './app.tsx'
import { loadLanguage } from './words/language.tsx'

// Zod compiles its parsers with `new Function`, which the CSP forbids; `jitless` turns that off.
z.config({ jitless: true })

reloadWhenRestored()
saveFilesWhenEmbedded()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
const page = createRoot(root)
void loadLanguage().then(() => page.render(<App store={connectStore()} queries={createQueryClient()} />))
