import { chmod, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { App, expect, test } from '../support/app.ts'

/** A PATH with all tools of these tests, of this machine or fetched, except netperf. */
async function pathWithoutNetperf(into: string): Promise<string> {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const tool of await readdir(directory).catch(() => [])) {
      if (tool.startsWith('netperf')) continue
      await symlink(join(directory, tool), join(into, tool)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
    }
  }
  return into
}

test('a missing tool is shown once with its remedy, and the labs that need it link to it', async ({ page }) => {
  const tools = await mkdtemp(join(tmpdir(), 'expresslane-tools-'))
  // As root, the lab's tools run as another user.
  await chmod(tools, 0o755)
  const app = await App.create()
  try {
    await app.start({ PATH: await pathWithoutNetperf(tools) })
    await page.goto(app.link)
    const card = page.getByRole('article', { name: 'BIG TCP over IPv4' })
    await expect(card.getByRole('button', { name: /^Start.* on this machine$/ })).toHaveCount(0)
    // The remedy applies to many labs, so each of them links to the testbed, where it stands once.
    const reason = card.getByRole('paragraph').filter({ hasText: 'This machine:' })
    await expect(reason).toContainText(/netperf/)
    await reason.getByRole('link', { name: 'How to fix it' }).click()
    const testbed = page.getByRole('article', { name: 'This machine' })
    const check = testbed
      .getByRole('listitem')
      .filter({ hasText: /netperf/ })
      .first()
    await expect(check).toBeInViewport()
    await expect(check.getByText(/install/).first()).toBeVisible()
    // A lab without netperf is not concerned.
    const other = page.getByRole('article', { name: 'How many services?' })
    await expect(other.getByRole('button', { name: /^Start.* on this machine$/ })).toBeVisible()
  } finally {
    await app.remove()
    await rm(tools, { recursive: true })
  }
})
