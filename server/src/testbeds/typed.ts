/** Commands as a person would type them. */

/** argv as a shell would need it typed. */
export function typedLine(argv: readonly string[]): string {
  return argv
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ')
}
