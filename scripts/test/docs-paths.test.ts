import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inRoot } from '../base/paths.mjs'

const named = /\b(?:shared|server|web|e2e|bench|scripts|manifests)\/[\w./-]+\.(?:tsx|ts|mjs|jsonl|json|md|yaml)\b/g

function docs(): string[] {
  const folders = ['docs', join('docs', 'decisions')]
  const inFolders = folders.flatMap((folder) => readdirSync(inRoot(folder)).map((name) => join(folder, name)))
  return ['README.md', 'CONTRIBUTING.md', ...inFolders].filter((file) => file.endsWith('.md'))
}

test('every source file that the docs name exists', () => {
  const missing = docs().flatMap((file) =>
    [...readFileSync(inRoot(file), 'utf8').matchAll(named)]
      .map(([path]) => path)
      .filter((path) => !existsSync(inRoot(path)))
      .map((path) => `${file}: ${path}`),
  )
  expect(missing).toEqual([])
})
