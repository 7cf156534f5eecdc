/** The page that `npm run lab -- open` writes, as `--open` does: one file, opened from the disk, with nothing beside it. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { textOf } from '../../support/drop.ts'
import { expect, test as base } from '../../support/visitor.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const recording = join(root, 'recordings/big-tcp-ipv6.jsonl')

/** Ends the element that holds it, where it is not kept as text. */
const EVIL = `</script></style><script>document.title = 'broken'</script><img src=x onerror="document.title = 'broken'"><!--\u2028-->`

interface Pack {
  /** A folder of its own. */
  readonly folder: string
  /** Runs the command in the folder, with these variables. @returns what it printed */
  open(file: string, page: string, env?: Readonly<Record<string, string>>): Promise<string>
}

const test = base.extend<{ pack: Pack }, { program: string }>({
  /** The command, with the viewer that it fills. */
  program: [
    async ({}, use) => {
      const build = `const { build, isBuilt } = await import(process.argv[1])
        if (!isBuilt('viewer')) await build('viewer', process.execPath, process.env)`
      const bundles = join(root, 'scripts/setup/bundles.mjs')
      await run(process.execPath, ['--input-type=module', '-e', build, bundles])
      await use(join(root, 'server/src/headless.ts'))
    },
    { scope: 'worker' },
  ],
  pack: async ({ program }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'expresslane-page-'))
    const open: Pack['open'] = async (file, page, env = {}) => {
      const { DISPLAY: _x11, WAYLAND_DISPLAY: _wayland, ...rest } = process.env
      const command = [program, 'open', file, page]
      return (await run(process.execPath, command, { env: { ...rest, INIT_CWD: folder, ...env } })).stderr
    }
    await use({ folder, open })
    await rm(folder, { recursive: true })
  },
})

test('a page has the recording at its result, and may connect to nothing', async ({ tab, pack }) => {
  expect(await pack.open(recording, 'page.html')).toContain('Open the file in any browser')
  await tab.goto(pathToFileURL(join(pack.folder, 'page.html')).href)
  await expect.poll(() => textOf(tab)).toContain('Step 11 of 12')
  await expect.poll(() => textOf(tab)).toContain('Improved')
  const refused = await tab.evaluate(
    () =>
      new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => resolve(effectiveDirective))
        void fetch('http://127.0.0.1:9/').catch(() => undefined)
      }),
  )
  expect(refused).toBe('connect-src')
  await tab.locator('::-p-aria([name="Recordings"][role="link"])').click()
  await expect.poll(() => textOf(tab)).toContain('Open a file')
  expect(await textOf(tab)).not.toContain('Address of a recording')
})

test('text of a recording stays text', async ({ tab, pack }) => {
  const [head = '', ...events] = (await readFile(recording, 'utf8')).split('\n')
  const evil = JSON.stringify({ ...(JSON.parse(head) as object), name: EVIL })
  await writeFile(join(pack.folder, 'evil.jsonl'), [evil, ...events].join('\n'))
  await pack.open('evil.jsonl', 'evil.html')
  await tab.goto(pathToFileURL(join(pack.folder, 'evil.html')).href)
  await expect.poll(() => textOf(tab)).toContain('Step 11 of 12')
  await tab.locator('::-p-aria([name="Recordings"][role="link"])').click()
  await expect.poll(() => textOf(tab)).toContain(EVIL)
  expect(await tab.title()).not.toBe('broken')
  expect(await tab.$$('img[src="x"]')).toEqual([])
})

test('the system’s opener gets the file, and no failure of it fails the command', async ({ pack }) => {
  const programs = join(pack.folder, 'bin')
  const seen = join(pack.folder, 'seen')
  await mkdir(programs)
  const env = { DISPLAY: ':0', PATH: programs }
  expect(await pack.open(recording, 'page.html', env)).toContain('No browser could be started here')
  await writeFile(join(programs, 'xdg-open'), `#!/bin/sh\necho "$1" > '${seen}'\nexit 3\n`, { mode: 0o755 })
  expect(await pack.open(recording, 'page.html', env)).not.toContain('No browser')
  const opened = (): Promise<string> => readFile(seen, 'utf8').catch(() => '')
  await expect.poll(opened).toBe(`${join(pack.folder, 'page.html')}\n`)
})
