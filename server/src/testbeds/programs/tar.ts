/** Writes a compressed archive that any `tar` reads. The same files make the same bytes. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const BLOCK = 512

/** The header of a file that anybody can run, and nobody but its owner can change. */
function headerOf(name: string, size: number): Buffer {
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
  const header = Buffer.alloc(BLOCK)
  const fields = [
    [0, name],
    [100, octal(0o755, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(size, 11)],
    [136, octal(0, 11)],
    // The sum counts its own field as spaces.
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\u000000'],
  ] as const
  for (const [at, text] of fields) header.write(text, at, 'latin1')
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${octal(sum, 6)}\u0000`, 148, 'latin1')
  return header
}

/** @param files by name, shorter than 100 characters */
export async function tarOf(files: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const blocks = [...files].flatMap(([name, body]) => [
    headerOf(name, body.length),
    body,
    Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK),
  ])
  return promisify(gzip)(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]))
}
