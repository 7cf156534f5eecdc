/** Checks that the back row can read a slide, and recordings to show on it: they cost no measuring. */
import { runAccepted, runResponse, sessionView } from '@expresslane/shared/wire/protocol'
import { expect, type Page } from '@playwright/test'
import type { App } from './app.ts'

/** Expects that all type is 24 px or more, and that the slide fits the screen without scrolling. */
export async function expectReadable(page: Page): Promise<void> {
  const found = await page.evaluate(() => {
    const texts: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode() !== null) {
      const text = walker.currentNode.textContent?.trim() ?? ''
      const element = walker.currentNode.parentElement
      if (text === '' || element === null || element.closest('.hidden, script, style') !== null) continue
      if (!element.checkVisibility()) continue
      const size = Number.parseFloat(getComputedStyle(element).fontSize)
      if (size < 24) texts.push(`${size} px: ${text}`)
    }
    const scrolls = [...document.querySelectorAll('[data-stage], [data-stage] *')].filter(
      (element) => getComputedStyle(element).overflowY === 'auto' && element.scrollHeight > element.clientHeight + 1,
    )
    return [...texts, ...scrolls.map((element) => `scrolls: ${element.className}`)]
  })
  expect(found).toEqual([])
}

/** Plays these steps of a recording back. @returns the address of the session, without a step */
export async function playBack(
  app: App,
  labId: string,
  recordingId: string,
  steps: readonly string[],
): Promise<string> {
  const body = { labId, testbed: `recording:${recordingId}` }
  const { session } = sessionView.parse(await app.send('POST', '/api/sessions', body))
  for (const step of steps) {
    const asked = { params: { speed: 20 } }
    const { runId } = runAccepted.parse(await app.send('POST', `/api/sessions/${session.id}/steps/${step}/run`, asked))
    const state = async () => runResponse.parse(await app.get(`/api/runs/${runId}`)).run.state
    await expect.poll(state, { timeout: 120_000 }).toBe('completed')
  }
  return `${app.origin}/labs/${labId}/sessions/${session.id}`
}
