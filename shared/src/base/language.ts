/** The page's texts in the reader's language. English stands in the code, and is each text's id in the catalogues. */
import { setupI18n, type I18n } from '@lingui/core'

type MessageCompiler = Parameters<I18n['setMessagesCompiler']>[0]
type Tokens = ReturnType<MessageCompiler>

const ARGUMENT = /\{(\w+)(?:, (\w+), ((?:\S+ \{(?:[^{}]|\{\w+\})*\} ?)+))?\}/
const CASE = /(\w+) \{((?:[^{}]|\{\w+\})*)\}/g

function tokensOf(message: string, ofPlural: boolean): Tokens {
  // Text, name, type and cases, in turns.
  const parts = message.split(ARGUMENT)
  return parts.flatMap((text, at): Tokens => {
    if (at % 4 !== 0) return []
    const words = (ofPlural ? text.split(/(#)/) : [text]).filter((piece) => piece !== '')
    const [name, type, cases] = parts.slice(at + 1, at + 4)
    if (name === undefined) return words
    if (type === undefined || cases === undefined) return [...words, [name]]
    const texts = [...cases.matchAll(CASE)].map(([, key = '', of = '']) => [key, tokensOf(of, type === 'plural')])
    return [...words, [name, type, Object.fromEntries(texts)]]
  })
}

/**
 * Reads the part of ICU's message format that the catalogues use: `{name}`, `{count, plural, one {# run} other {# runs}}`
 * and `select`. Lingui's own parser reads all of it and takes 6.5 kB; a test compares both on every text.
 *
 * @returns the form that Lingui's runtime takes
 */
export const compile: MessageCompiler = (message) => tokensOf(message, false)

/**
 * Looks texts up: `i18n.t('Step {step} of {steps}', { step, steps })`. In the server it is always English. The page loads
 * a language before it renders, and after its modules ran: a constant holds a marked text, `/*i18n*\/ 'this machine'`, which
 * the function that shows it looks up.
 */
export const i18n = setupI18n({ locale: 'en', messages: { en: {} } }).setMessagesCompiler(compile)
