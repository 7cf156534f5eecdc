/** Lines of a Cilium agent's log (logfmt): its own reason for stopping. */

/** A field's value, with its escapes. */
const FIELD = /\b(level|msg|error)=("(?:[^"\\]|\\.)*"|\S+)/g

function fieldsOf(line: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...line.matchAll(FIELD)].map(([, name = '', text = '']) => [
      name,
      text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text,
    ]),
  )
}

/** The agent names each function on the way to a reason: `could not build arguments for ... (bigtcp.go:220): reason`. */
const ON_THE_WAY = /^.*(?:\(\S*\.go:\d+\)|failed to \w[\w ]*|could not \w[\w ]*): (?=\S)/

/** The reason in the last line that has one; the line itself if it is not as usual. Null for no lines. */
export function reasonIn(lines: readonly string[]): string | null {
  const said = lines.map(fieldsOf).findLast(({ level = '' }) => /^(fatal|error|panic)$/.test(level))
  const text = said?.['error'] ?? said?.['msg'] ?? lines.findLast((line) => line.trim() !== '') ?? null
  return text?.replace(ON_THE_WAY, '').trim().replace(/\.$/, '') ?? null
}

/** The message of a line, without the full stop at its end. */
export function messageOf(line: string): string {
  return (fieldsOf(line)['msg'] ?? line).replace(/\.$/, '')
}
