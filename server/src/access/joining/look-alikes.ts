/** Names that people take for one another. */
import unhomoglyph from 'unhomoglyph'

/** The skeleton of a text (UTS 39, 4): two texts with the same one look alike. */
function skeleton(text: string): string {
  return unhomoglyph(text.normalize('NFD')).normalize('NFD')
}

/** In which case a name is written makes no difference, nor do spaces and punctuation. */
function formsOf(name: string): string[] {
  const letters = name.normalize('NFKC').replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')
  return [skeleton(letters), skeleton(letters.toLowerCase())].map((form) => form.toLowerCase())
}

/** Whether somebody who reads one name can take it for the other: `Аnna` with a Cyrillic А, `ANNA`, `lan` for `Ian`. */
export function looksLike(name: string, other: string): boolean {
  const [asWritten, inLowerCase] = formsOf(other)
  const [mine, mineInLowerCase] = formsOf(name)
  return mine === asWritten || mineInLowerCase === inLowerCase
}
