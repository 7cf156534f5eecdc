/** The terminal of a program that nobody trusts: its output only draws. */
import type { Terminal } from '@xterm/xterm'

/**
 * Questions that xterm.js would answer into the shell's input, where a question in a file that somebody prints becomes
 * typed text, and is asked again when the page loads again. And the sequences that reach out of the screen: links, and
 * the page's colours. xterm.js itself has none for the clipboard or for answerback, and nothing here takes its titles.
 *
 * @see https://invisible-island.net/xterm/ctlseqs/ctlseqs.html
 */
const unanswered = {
  // Device attributes, status reports, modes, and the window's size.
  csi: [
    { final: 'c' },
    { prefix: '>', final: 'c' },
    { final: 'n' },
    { prefix: '?', final: 'n' },
    { intermediates: '$', final: 'p' },
    { prefix: '?', intermediates: '$', final: 'p' },
    { final: 't' },
  ],
  // DECRQSS.
  dcs: { intermediates: '$', final: 'q' },
  // Colours of the palette, links, and the colours of text, background and cursor.
  osc: [4, 8, 10, 11, 12],
}

export function makeHarmless({ parser }: Pick<Terminal, 'parser'>): void {
  for (const id of unanswered.csi) parser.registerCsiHandler(id, () => true)
  parser.registerDcsHandler(unanswered.dcs, () => true)
  for (const number of unanswered.osc) parser.registerOscHandler(number, () => true)
}

/** A text without control characters but tabs and ends of lines: `ESC [ 201 ~` would end a paste, and type what follows. */
export function pasteable(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, '')
}
