/** Debian's Chromium if it is in the PATH, otherwise Playwright's. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from '@playwright/test'

const debianChromium = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'chromium'))
  .find((file) => existsSync(file))

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(debianChromium === undefined ? {} : { executablePath: debianChromium }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
}
