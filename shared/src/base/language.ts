/** The page's texts in the reader's language. English stands in the code, and is each text's id in the catalogues. */
import { setupI18n, type I18n } from '@lingui/core'

type MessageCompiler = Parameters<I18n['setMessagesCompiler']>[0]
type Tokens = ReturnType<MessageCompiler>

const ARGUMENT = /\{(\w+)(?:, (plural|select), ((?:=?\w+ \{(?:[^{}]|\{\w+\})*\} ?)+))?\}/
const CASE = /=?(\w+) \{((?:[^{}]|\{\w+\})*)\}/g

function tokensOf(message: string, ofPlural: boolean): Tokens {
  // Text, name, type and cases, in turns.
  const parts = message.split(ARGUMENT)
  const tokens: Tokens = []
  for (let at = 0; at < parts.length; at += 4) {
    const [text = '', name, type, cases] = parts.slice(at, at + 4)
    tokens.push(...(ofPlural ? text.split(/(#)/) : [text]).filter((piece) => piece !== ''))
    if (name === undefined) continue
    if (type === undefined || cases === undefined) tokens.push([name])
    else {
      const texts = [...cases.matchAll(CASE)].map(([, key = '', of = '']) => [key, tokensOf(of, type === 'plural')])
      tokens.push([name, type, Object.fromEntries(texts)])
    }
  }
  return tokens
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
