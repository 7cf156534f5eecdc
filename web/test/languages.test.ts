/**
 * @vitest-environment happy-dom
 *
 * The page's texts in other languages: each is there, and says as much as the English text.
 */
import { compile, i18n as english } from '@expresslane/shared/base/language'
import { getConfig } from '@lingui/conf'
import { getCatalogs } from '@lingui/cli/api'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'

const root = join(import.meta.dirname, '..')
const config = getConfig({ cwd: root, configPath: join(root, 'lingui.config.js') })

/** The texts in the code. */
let ids: string[]
/** By language. */
const texts = new Map<string, Record<string, string>>()

beforeAll(async () => {
  const [catalogue] = await getCatalogs(config)
  if (catalogue === undefined) throw new Error('lingui.config.js names no catalogue')
  ids = Object.keys((await catalogue.collect()) ?? {})
  for (const language of config.locales) {
    const read = (await catalogue.read(language)) ?? {}
    texts.set(language, Object.fromEntries(Object.entries(read).map(([id, { translation = '' }]) => [id, translation])))
  }
})

/** The names in braces and the tags. */
function parts(text: string): string[] {
  const names = (tokens: unknown): string[] => {
    if (!Array.isArray(tokens)) return []
    return tokens.flatMap((token: unknown) => {
      if (!Array.isArray(token)) return []
      const [name, , cases] = token as unknown[]
      return [String(name), ...Object.values(cases ?? {}).flatMap(names)]
    })
  }
  return [...new Set([...names(compile(text)), ...(text.match(/<\/?\w+\/?>/g) ?? [])])].toSorted()
}

describe.each<string>(config.locales.map(String))('%s', (language) => {
  const of = (id: string): string => texts.get(language)?.[id] ?? ''

  it('has every text; `npm run texts` adds those that are missing to web/languages', () => {
    expect(ids.length).toBeGreaterThan(1000)
    expect(ids.filter((id) => of(id) === '')).toEqual([])
  })

  it('has no text that the code does not have', () => {
    expect(Object.keys(texts.get(language) ?? {}).filter((id) => !ids.includes(id))).toEqual([])
  })

  it('has the names and tags of the English texts', () => {
    expect(ids.filter((id) => of(id) !== '' && parts(of(id)).join() !== parts(id).join())).toEqual([])
  })

  it('keeps spaces at the ends', () => {
    const ends = (text: string): string => /^\s*/.exec(text)?.[0] + '|' + /\s*$/.exec(text)?.[0]
    expect(ids.filter((id) => of(id) !== '' && ends(of(id)) !== ends(id))).toEqual([])
  })

  it('is read as Lingui itself reads it', () => {
    const all = [...ids, ...ids.map(of)].filter((text) => text !== '')
    expect(all.filter((text) => JSON.stringify(compile(text)) !== JSON.stringify(compileMessage(text)))).toEqual([])
  })
})

it('looks no text up before the language is loaded', async () => {
  vi.resetModules()
  const { i18n } = await import('@expresslane/shared/base/language')
  expect(i18n).not.toBe(english)
  const asked = vi.spyOn(i18n, 't')
  const modules = import.meta.glob(['../src/**/*.{ts,tsx}', '!../src/{main,follow,site}.tsx'])
  for (const load of Object.values(modules)) await load()
  expect(asked.mock.calls.map(([text]) => text)).toEqual([])
  vi.resetModules()
})

it('shows English where a text is missing', () => {
  english.load('xx', { Start: 'Los' })
  english.activate('xx')
  expect(['Start', 'Step {step} of 3'].map((id) => english.t(id, { step: 2 }))).toEqual(['Los', 'Step 2 of 3'])
  english.activate('en')
})
