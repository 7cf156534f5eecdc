import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App, expect, test } from '../support/app.ts'

/** A PATH with everything that this machine has but netperf. */
async function pathWithoutNetperf(into: string): Promise<string> {
  for (const directory of ['/usr/sbin', '/usr/bin', '/sbin', '/bin']) {
    for (const tool of await readdir(directory)) {
      if (tool.startsWith('netperf')) continue
      await symlink(join(directory, tool), join(into, tool)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
    }
  }
  return into
}

test('a missing tool is named with its remedy, and the lab waits', async ({ page }) => {
  const tools = await mkdtemp(join(tmpdir(), 'expresslane-tools-'))
  const app = await App.create()
  try {
    await app.start({ PATH: await pathWithoutNetperf(tools) })
    await page.goto(app.link)
    const card = page.getByRole('article', { name: 'BIG TCP over IPv4' })
    await expect(card).toContainText(/netperf/)
    await expect(card.getByText(/install/).first()).toBeVisible()
    await expect(card.getByRole('button', { name: /^Start/ })).toHaveCount(0)
  } finally {
    await app.remove()
    await rm(tools, { recursive: true })
  }
})
