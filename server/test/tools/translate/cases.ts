/** The recorded packets of `cases.py`, and the helper's run of them. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { text as textOf } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { nodeportProgram } from '../../../src/tools/nodeport/argv.ts'
import { parseSessions, type TranslatedSessions } from '../../../src/tools/nodeport/sessions.ts'

const stepSchema = z.strictObject({ in: z.string(), out: z.string().optional(), outcome: z.string() })

const caseSchema = z.strictObject({
  name: z.string(),
  rules: z.unknown(),
  step: stepSchema,
  /** The reason why tayga translates the packet differently. */
  differs: z.string().nullish(),
  /** The packet as tayga translates it, where the RFC allows both forms. */
  tayga: z.string().nullish(),
})

export type Case = z.infer<typeof caseSchema>

export const readCases = (): Case[] =>
  caseSchema.array().parse(JSON.parse(readFileSync(join(import.meta.dirname, 'cases.json'), 'utf8')))

const lineSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('frame'), outcome: z.string(), frame: z.string().nullable() }),
  z.strictObject({ type: z.literal('end'), counts: z.record(z.string(), z.number()) }),
])

export interface Result {
  readonly outcome: string
  readonly frame: string | null
}

export interface Translated {
  readonly frames: readonly Result[]
  readonly counts: Readonly<Record<string, number>>
  /** The sessions of all `sessions` lines. */
  readonly listed: TranslatedSessions
}

/** Runs lines through the program, in a network namespace of its own: frames, `later SECONDS`, or `sessions`. */
export async function translate(rules: unknown, lines: readonly string[]): Promise<Translated> {
  const folder = mkdtempSync(join(tmpdir(), 'translate-'))
  const file = join(folder, 'rules.json')
  writeFileSync(file, JSON.stringify(rules))
  const child = spawn('unshare', ['--net', nodeportProgram, 'translate-frames', '--rules', file])
  child.stdin.end(lines.map((line) => `${line}\n`).join(''))
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)])
  rmSync(folder, { recursive: true })
  if (stderr !== '') throw new Error(stderr)
  const all = stdout.trimEnd().split('\n')
  const listed = parseSessions(all.filter((line) => line.startsWith('{"type":"session')))
  const parsed = all
    .filter((line) => !line.startsWith('{"type":"session'))
    .map((line) => lineSchema.parse(JSON.parse(line)))
  const end = parsed.at(-1)
  if (end?.type !== 'end') throw new Error('it has no last line')
  return { frames: parsed.flatMap((line) => (line.type === 'frame' ? [line] : [])), counts: end.counts, listed }
}

const ETHERNET = 28
const isIpv4 = (frame: string): boolean => frame.slice(24, ETHERNET) === '0800'

function ipv4Checksum(header: string): number {
  let sum = 0
  for (let at = 0; at < header.length; at += 4) sum += Number.parseInt(header.slice(at, at + 4), 16)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16)
  return sum
}

/** An IPv4 packet that is no fragment without its identification, which is a random number; its checksum must be right. */
export function comparable(frame: string | null): string | null {
  if (frame === null || !isIpv4(frame)) return frame
  const header = frame.slice(ETHERNET, ETHERNET + 40)
  if (ipv4Checksum(header) !== 0xffff) return `a wrong IPv4 checksum in ${frame}`
  const isFragment = (Number.parseInt(header.slice(12, 16), 16) & 0x3fff) !== 0
  const id = isFragment ? header.slice(8, 12) : 'any '
  return `${frame.slice(0, ETHERNET)}${header.slice(0, 8)}${id}${header.slice(12, 20)}none${header.slice(24)}${frame.slice(ETHERNET + 40)}`
}

/**
 * The fields that two translators have in common: they stand at different places between the kernel's own hops, and tayga, being
 * older than RFC 7915, always sets DF. The packet inside an error begins 28 bytes behind its start.
 */
export function common(frame: string | null): string | null {
  if (frame === null) return null
  if (!isIpv4(frame)) return `${frame.slice(0, ETHERNET + 14)}00${frame.slice(ETHERNET + 16)}`
  const isError = frame.slice(ETHERNET + 18, ETHERNET + 20) === '01' && ['03', '0b'].includes(frame.slice(68, 70))
  const headers = isError ? [ETHERNET, ETHERNET + 56] : [ETHERNET]
  return headers.reduce((text, at) => {
    const flags = (Number.parseInt(text.slice(at + 12, at + 16), 16) & 0xbfff).toString(16).padStart(4, '0')
    const hops = at === ETHERNET ? '00' : text.slice(at + 16, at + 18)
    return `${text.slice(0, at + 12)}${flags}${hops}${text.slice(at + 18, at + 20)}none${text.slice(at + 24)}`
  }, frame)
}
