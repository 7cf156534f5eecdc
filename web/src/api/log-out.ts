/** Ends this browser's login, and leaves nothing of it to the next person on this computer. */
import { endLogin } from '@expresslane/shared/wire/room'
import { call } from './request.ts'

/**
 * Logs out and opens `next`: a new page, without what this one holds in memory.
 *
 * @throws LabError with the server's code; NetworkFailure without a response
 */
export async function logOut(next: '/' | '/join' | '/follow'): Promise<void> {
  await call(endLogin)
  window.localStorage.clear()
  window.sessionStorage.clear()
  window.location.replace(next)
}

/** Browsers keep a page that was left as it was, and show it again when somebody goes back: it then asks the server anew. */
export function reloadWhenRestored(): void {
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) window.location.reload()
  })
}
