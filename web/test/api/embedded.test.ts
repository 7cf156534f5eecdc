// @vitest-environment happy-dom
/** Files of a page that is inside another page. */
import { afterEach, expect, it, vi } from 'vitest'
import { saveFilesWhenEmbedded } from '../../src/api/embedded.ts'

afterEach(() => vi.unstubAllGlobals())

function pageWith(html: string): HTMLElement {
  document.body.innerHTML = html
  const link = document.body.querySelector('a')
  if (link === null) throw new Error('no link')
  return link
}

/** @returns whether the browser would follow the link itself, and the saved file */
async function click(link: HTMLElement): Promise<{ followed: boolean; saved: [string, string] | null }> {
  const saved = Promise.withResolvers<[string, string]>()
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.resolve([this.href, this.download])
  })
  const followed = link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  return { followed, saved: followed ? null : await saved.promise }
}

it('fetches a file and saves it under its name, and leaves other links alone', async () => {
  const asked: string[] = []
  vi.stubGlobal('top', {})
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return new Response('text', { headers: { 'content-disposition': 'attachment; filename="report.html"' } })
  })
  saveFilesWhenEmbedded()
  const { followed, saved } = await click(pageWith('<a href="/api/runs/r/report?format=html" download>Save</a>'))
  expect(followed).toBe(false)
  expect(saved?.[0]).toMatch(/^blob:/)
  expect(saved?.[1]).toBe('report.html')
  expect(asked).toEqual(['/api/runs/r/report?format=html'])
  expect((await click(pageWith('<a href="/labs">Labs</a>'))).followed).toBe(true)
  expect((await click(pageWith('<a href="https://example.org/x" download>x</a>'))).followed).toBe(true)
})
