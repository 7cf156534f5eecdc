/** A page that a learning platform shows inside its own. */
import { file } from './request.ts'

/** `attachment; filename="report.html"` */
function nameIn(response: Response): string {
  return /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'expresslane'
}

async function save(address: string): Promise<void> {
  const response = await file(address)
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = nameIn(response)
  link.click()
  URL.revokeObjectURL(link.href)
}

/**
 * Fetches files before it saves them. Chromium sends a download of a page inside another page without the cookie of that page
 * (CHIPS), so the server would refuse it. A refused file opens in the page instead, with the server's reason.
 */
export function saveFilesWhenEmbedded(): void {
  if (window.self !== window.top) saveFiles()
}

/** Fetches the files that links of the page save. */
export function saveFiles(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[download]') : null
    if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin || link.protocol === 'blob:') return
    event.preventDefault()
    const address = `${link.pathname}${link.search}`
    save(address).catch(() => location.assign(address))
  })
}
