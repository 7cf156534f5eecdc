/** Checks that the targets of links and paths in the documents exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { inRoot, root } from '../base/paths.mjs'

const top = readdirSync(root)
const documents = ['.', 'docs', 'docs/decisions'].flatMap((folder) =>
  readdirSync(inRoot(folder))
    .filter((file) => file.endsWith('.md'))
    .map((file) => join(folder, file)),
)

/** `[text](path)` and `[text](path#heading)`, without addresses on the web. */
function links(text: string): string[] {
  return [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].flatMap(([, to = '']) => (to.includes(':') ? [] : [to]))
}

/** Each `folder/file` in code, from the root. A path with a placeholder (`ID`, `*`, `...`) is left out. */
function paths(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)]
    .flatMap(([, code = '']) => code.split(/\s+/))
    .filter((word) => /^[\w.-]+\/[\w./-]*$/.test(word) && !/\b[A-Z]{2,}\b|\.\./.test(word))
    .filter((path) => top.includes(path.split('/')[0] ?? ''))
}

test.each(documents)('%s', (document) => {
  const text = readFileSync(inRoot(document), 'utf8')
  expect(links(text).filter((to) => !existsSync(inRoot(dirname(document), to)))).toEqual([])
  expect(paths(text).filter((path) => !existsSync(inRoot(path)))).toEqual([])
})
