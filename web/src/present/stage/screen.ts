/** The browser's windows of a presenter: the whole screen, and the speaker's window. */

/** Shows the page on the whole screen, or ends that. A browser that refuses leaves the window as it is. */
export function toggleWholeScreen(): void {
  const change =
    document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen()
  change.catch(() => {})
}

/** Opens the speaker's window, or brings it to the front. @param base the session's address */
export function openSpeakerWindow(base: string): void {
  window.open(`${base}?speaker`, 'expresslane-speaker', 'popup,width=1280,height=860')?.focus()
}
