/** Pages of static files open in each browser, from a folder of a web host and from the disk. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'puppeteer-core'
import { serve } from '../../support/static.ts'
import { expect, test as base } from '../../support/visitor.ts'

const csp = "default-src 'none'; script-src 'self'; style-src 'self'; worker-src blob:; connect-src 'self'"
const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${csp}" />
    <title>A page of static files</title>
    <link rel="stylesheet" href="style.css" />
  </head>
  <body>
    <button>Ask the worker</button>
    <output></output>
    <script src="page.js"></script>
  </body>
</html>
`
const script = `
const source = 'onmessage = ({ data }) => postMessage(data * 2)'
const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })))
const visits = Number(localStorage.getItem('visits') ?? 0) + 1
localStorage.setItem('visits', visits)
worker.onmessage = ({ data }) => {
  document.querySelector('output').textContent = 'The worker answers ' + data + ' on visit ' + visits
}
document.querySelector('button').onclick = () => worker.postMessage(21)
`

/** `test` with a folder of static files, beside a file that is not in it, and its address when a web host serves it. */
const test = base.extend<{ folder: string; address: string }>({
  folder: async ({}, use) => {
    const outer = await mkdtemp(join(tmpdir(), 'expresslane-site-'))
    const folder = join(outer, 'site')
    await mkdir(folder)
    await writeFile(join(outer, 'secret.json'), '{}')
    await writeFile(join(folder, 'index.html'), html)
    await writeFile(join(folder, 'page.js'), script)
    await writeFile(join(folder, 'style.css'), 'button { color: rgb(1, 2, 3) }')
    await writeFile(join(folder, 'data.json'), '{"answer": 42}')
    await use(folder)
    await rm(outer, { recursive: true })
  },
  address: async ({ folder }, use) => {
    const { address, end } = await serve(folder, '/some/folder/')
    await use(address)
    await end()
  },
})

/** The script and the style work, a worker answers, and a second visit finds the storage of the first. */
async function expectWorks(tab: Page, address: string): Promise<void> {
  for (const visit of [1, 2]) {
    await tab.goto(address)
    await tab.locator('::-p-aria([name="Ask the worker"][role="button"])').click()
    await expect
      .poll(() => tab.$eval('output', ({ textContent }) => textContent))
      .toBe(`The worker answers 42 on visit ${visit}`)
    expect(await tab.$eval('button', (button) => getComputedStyle(button).color)).toBe('rgb(1, 2, 3)')
  }
}

/** The status of a fetch by the page, or null if the browser does not allow it. */
const fetched = (tab: Page, path: string): Promise<number | null> =>
  tab.evaluate(async (url) => {
    try {
      return (await fetch(url)).status
    } catch {
      return null
    }
  }, path)

test('a page works in a folder of a web host', async ({ tab, address }) => {
  await expectWorks(tab, address)
  expect(await fetched(tab, 'data.json')).toBe(200)
  expect(await fetched(tab, '..%2fsecret.json')).toBe(404)
  expect(await fetched(tab, '/data.json')).toBe(404)
})

test('a page works from the disk, where it may not read its neighbours', async ({ tab, folder }) => {
  await expectWorks(tab, pathToFileURL(join(folder, 'index.html')).href)
  expect(await fetched(tab, 'data.json')).toBeNull()
})
