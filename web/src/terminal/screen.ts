/** xterm.js in an element, in the font and the colours of the page. */
import type { TerminalSize } from '@expresslane/shared/wire/terminal'
import { FitAddon } from '@xterm/addon-fit'
import { Terminal, type ITheme } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { makeHarmless, pasteable } from './harmless.ts'

/**
 * The page allows no style elements with a text (Content-Security-Policy), which xterm.js makes. Their texts go into style
 * sheets of the document, which are no inline styles.
 */
function createWithSheets(tag: string): HTMLElement {
  // An empty style element is refused, too.
  const element = Document.prototype.createElement.call(document, tag === 'style' ? 'template' : tag)
  if (tag !== 'style') return element
  const sheet = new CSSStyleSheet()
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  Object.defineProperty(element, 'textContent', {
    set(text: string) {
      sheet.replaceSync(text)
    },
  })
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    HTMLElement.prototype.remove.call(element)
  }
  return element
}

const documentWithSheets = new Proxy(document, {
  get(target, name) {
    if (name === 'createElement') return createWithSheets
    const value: unknown = Reflect.get(target, name)
    return typeof value === 'function' ? (value.bind(target) as unknown) : value
  },
  set: (target, name, value) => Reflect.set(target, name, value),
})

/** Some parts of xterm.js 6.0.0 take the window's document whatever the option says: meanwhile it is this one. */
function openIn(element: HTMLElement, terminal: Terminal): void {
  Object.defineProperty(document, 'createElement', { value: createWithSheets, configurable: true })
  terminal.open(element)
  Reflect.deleteProperty(document, 'createElement')
}

/** ANSI's eight colours by the page's, from black to white. */
function themeOf(element: Element): ITheme {
  const style = getComputedStyle(element)
  const of = (name: string): string => style.getPropertyValue(name).trim()
  return {
    background: of('--sunken'),
    foreground: of('--ink'),
    cursor: of('--focus'),
    cursorAccent: of('--sunken'),
    selectionBackground: of('--run-soft'),
    black: of('--ink'),
    red: of('--bad'),
    green: of('--good'),
    yellow: of('--warn'),
    blue: of('--arm-on'),
    magenta: of('--arm-2'),
    cyan: of('--arm-1'),
    white: of('--muted'),
    brightBlack: of('--muted'),
    brightRed: of('--bad'),
    brightGreen: of('--good'),
    brightYellow: of('--warn'),
    brightBlue: of('--arm-on'),
    brightMagenta: of('--arm-2'),
    brightCyan: of('--arm-1'),
    brightWhite: of('--ink'),
  }
}

export interface Screen {
  write(bytes: Uint8Array): void
  /** Begins empty. */
  reset(): void
  focus(): void
  /** Takes a size; with `fits`, the element gives it. */
  resize(size: TerminalSize): void
  /** Whether keys count. */
  allowKeys(allowed: boolean): void
  dispose(): void
}

export interface ScreenOptions {
  readonly label: string
  /** True: a screen reader reads the output aloud. */
  readonly spoken: boolean
  /** Whether it is as large as its element. */
  readonly fits: boolean
  onKeys(text: string): void
  onSize(size: TerminalSize): void
  /** Escape was pressed twice. */
  onLeave(): void
}

/** Two presses of Escape within this time leave the terminal. */
const TWICE_MS = 600

export function openScreen(element: HTMLElement, options: ScreenOptions): Screen {
  const { label, spoken, fits, onKeys, onSize, onLeave } = options
  const style = getComputedStyle(element)
  const terminal = new Terminal({
    documentOverride: documentWithSheets,
    fontFamily: style.getPropertyValue('--font-mono'),
    // The element's: 24 px or more in a presentation.
    fontSize: Number.parseFloat(getComputedStyle(element).fontSize),
    screenReaderMode: spoken,
    theme: themeOf(element),
    // WCAG 2.2, 1.4.3.
    minimumContrastRatio: 4.5,
    scrollback: 5000,
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  makeHarmless(terminal)
  openIn(element, terminal)
  const paste = (event: ClipboardEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    terminal.paste(pasteable(event.clipboardData?.getData('text/plain') ?? ''))
  }
  // Before xterm.js, which pastes everything.
  element.addEventListener('paste', paste, { capture: true })
  terminal.textarea?.setAttribute('aria-label', label)

  let escapedAt = Number.NEGATIVE_INFINITY
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.type !== 'keydown') return true
    const isCopy = (event.ctrlKey || event.metaKey) && event.key === 'c' && terminal.hasSelection()
    // The browser copies and pastes.
    if (isCopy || ((event.ctrlKey || event.metaKey) && event.key === 'v')) return false
    if (event.key !== 'Escape') return true
    const isTwice = event.timeStamp - escapedAt < TWICE_MS
    escapedAt = event.timeStamp
    if (!isTwice) return true
    // The page has a meaning for Escape, too.
    event.preventDefault()
    onLeave()
    return false
  })
  terminal.onData(onKeys)
  terminal.onResize(({ rows, cols }) => onSize({ rows, columns: cols }))
  const resized = new ResizeObserver(() => fit.fit())
  if (fits) resized.observe(element)
  const recoloured = new MutationObserver(() => {
    terminal.options.theme = themeOf(element)
  })
  recoloured.observe(document.documentElement, { attributeFilter: ['data-color-scheme'] })
  if (fits) fit.fit()
  onSize({ rows: terminal.rows, columns: terminal.cols })

  return {
    write: (bytes) => terminal.write(bytes),
    reset: () => terminal.reset(),
    focus: () => terminal.focus(),
    resize: ({ rows, columns }) => terminal.resize(columns, rows),
    allowKeys(allowed) {
      terminal.options.disableStdin = !allowed
    },
    dispose() {
      resized.disconnect()
      recoloured.disconnect()
      element.removeEventListener('paste', paste, { capture: true })
      terminal.dispose()
    },
  }
}
