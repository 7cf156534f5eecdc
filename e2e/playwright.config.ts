import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { defineConfig } from '@playwright/test'

/** Debian's browser, which the set-up puts into the PATH; else Playwright's Chromium, whose download may be out of reach. */
function fromPath(name: 'chromium' | 'firefox-esr'): { executablePath?: string } {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const executablePath = folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
  return executablePath === undefined ? {} : { executablePath }
}

const isRoot = process.getuid?.() === 0

/** Whether there is a real cluster, named by E2E_KUBECONFIG, for the tests that need it. */
const hasCluster = (process.env['E2E_KUBECONFIG'] ?? '') !== ''

export default defineConfig({
  testDir: './specs',
  // The labs measure: two at once on one machine would disturb each other.
  workers: 1,
  fullyParallel: false,
  retries: 0,
  // Limits in case something hangs, not expectations: on a machine that is busy with other tests, all takes several times longer.
  timeout: 360_000,
  expect: { timeout: 45_000 },
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ?? './test-results/report.json' }],
  ],
  projects: [
    { name: 'browser', testIgnore: 'cluster/**' },
    // People open the static site in their own browser.
    {
      name: 'firefox',
      testMatch: 'site/**',
      use: { browserName: 'firefox', launchOptions: fromPath('firefox-esr') },
    },
    ...(hasCluster ? [{ name: 'cluster', testMatch: 'cluster/**', timeout: 480_000 }] : []),
  ],
  use: {
    // Labs take minutes; a button that is not there need not be waited for as long.
    actionTimeout: 45_000,
    viewport: { width: 1440, height: 900 },
    // A trace keeps the page at each action. Recording takes much processor time, so only a person who debugs asks for it.
    trace: process.env['E2E_TRACE'] === '1' ? { mode: 'retain-on-failure', screenshots: false } : 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...fromPath('chromium'),
      args: [
        ...(isRoot ? ['--no-sandbox'] : []),
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-gpu',
        '--disable-quic',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
})
