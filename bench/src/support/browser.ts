/** Debian's Chromium if it is installed, otherwise Playwright's. */
import { existsSync } from 'node:fs'
import { chromium, type Browser } from '@playwright/test'

const systemChromium = '/usr/bin/chromium'

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(existsSync(systemChromium) ? { executablePath: systemChromium } : {}),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
}
