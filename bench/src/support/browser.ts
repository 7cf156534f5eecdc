/** Debian's Chromium if it is in the PATH, otherwise Playwright's. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from '@playwright/test'

/** The file of a program in the PATH; undefined if it is not there. */
export function inPath(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file))
}

const debianChromium = inPath('chromium')

export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    ...(debianChromium === undefined ? {} : { executablePath: debianChromium }),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
}
