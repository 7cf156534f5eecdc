/** Finds the reader's language, and loads its texts. */
import { TransNoContext } from '@lingui/react/server'
import { i18n } from '@expresslane/shared/base/language'
import type { ReactElement, ReactNode } from 'react'

const KEPT = 'language'
const ENGLISH = 'en'

/** Each file of `languages/` is a language. */
const catalogues = import.meta.glob<Record<string, string>>('./*.json', { base: '../../languages', import: 'default' })

/** Two letters each (ISO 639-1), English first. */
export const languages: readonly string[] = [ENGLISH, ...Object.keys(catalogues).map((file) => file.slice(2, 4))]

/** `Deutsch`: a language as its speakers call it. */
export function nameOf(language: string): string {
  return new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
}

function kept(): string | null {
  try {
    return localStorage.getItem(KEPT)
  } catch {
    // The browser blocks storage.
    return null
  }
}

/** The language that the reader chose in this browser, else the first of the browser's languages with a catalogue, else English. */
function wanted(): string {
  const asked = [kept() ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2))
  return asked.find((language) => languages.includes(language)) ?? ENGLISH
}

/** Loads the texts, without a request in English. Without an answer the page is in English. They change with a reload only. */
export async function loadLanguage(): Promise<void> {
  const language = wanted()
  const texts = await catalogues[`./${language}.json`]?.().catch(() => undefined)
  if (texts !== undefined) {
    i18n.load(language, texts)
    i18n.activate(language)
  }
  document.documentElement.lang = i18n.locale
}

/** Keeps the choice in this browser and loads the page again. */
export function chooseLanguage(language: string): void {
  localStorage.setItem(KEPT, language)
  location.reload()
}

/** The query of a request for texts that are in the reader's language; none for English, which the browser asks for early. */
export function askedLanguage(): { language?: string } {
  return i18n.locale === ENGLISH ? {} : { language: i18n.locale }
}

interface TransProps {
  /** The text in English. */
  id: string
  /** For the names in braces. */
  values?: Readonly<Record<string, ReactNode>>
  /** For the numbered tags. */
  components: Readonly<Record<number, ReactElement>>
}

/** A text with elements in it: `<Trans id="Read <0>the notes</0>." components={{ 0: <a href={notes} /> }} />`. */
export function Trans({ id, values = {}, components }: TransProps) {
  return <TransNoContext id={id} values={values} components={components} lingui={{ i18n }} />
}
