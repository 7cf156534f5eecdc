/** The page of `--open`: text from a recording stays text. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { pageName, viewerPage } from '../../src/headless/viewer-page.ts'
import { shipped } from '../support/runs/labs.ts'

const EVIL = '</script><script>alert(1)</script><!--<script>\u2028{contents}$&'
const [head, ...rest] = readFileSync(join(import.meta.dirname, '../../../recordings/big-tcp-ipv4.jsonl'), 'utf8').split(
  '\n',
)
const recording = Buffer.from(
  [JSON.stringify({ ...(JSON.parse(head ?? '') as object), name: EVIL }), ...rest].join('\n'),
)
const BEFORE = '<script id="contents" type="application/json">'
const AFTER = '</script><script>globalThis.later = "{contents}"</script>'

interface Contents {
  readonly recordings: readonly { readonly id: string; readonly name: string }[]
  readonly labs: Readonly<Record<string, { readonly labs: readonly { readonly id: string }[] }>>
  readonly files: Readonly<Record<string, string>>
}

describe('the page of a recording', () => {
  const page = viewerPage(`${BEFORE}{contents}${AFTER}`, recording, shipped)
  const text = page.slice(BEFORE.length, -AFTER.length)
  const { recordings, labs, files } = JSON.parse(text) as Contents

  it('has no text that ends its element, and leaves the scripts behind it as they are', () => {
    expect(page.startsWith(BEFORE)).toBe(true)
    expect(page.endsWith(AFTER)).toBe(true)
    expect(text).not.toContain('<')
    expect(recordings[0]?.name).toBe(EVIL)
  })

  it('has the recording as it is, and its lab alone, in each language', () => {
    const packed = Buffer.from(files[recordings[0]?.id ?? ''] ?? '', 'base64')
    expect(gunzipSync(packed).equals(recording)).toBe(true)
    expect(Object.values(labs).map((each) => each.labs.map(({ id }) => id))).toEqual([
      ['big-tcp-ipv4'],
      ['big-tcp-ipv4'],
    ])
  })
})

it('is named after the lab and the time', () => {
  expect(pageName('nat64', Date.UTC(2026, 10, 21, 14, 3))).toBe('expresslane-nat64-20261121-1403.html')
})
