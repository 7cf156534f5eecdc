/** Recorded output of real tools: `$ what was typed`, the lines, and how it ended. */
import { readFileSync } from 'node:fs'
import type { ExecOutput } from '../../src/testbeds/target.ts'

export type Line = Extract<ExecOutput, { type: 'line' }>
export type Exit = Extract<ExecOutput, { type: 'exit' }>

export interface Fixture {
  readonly typed: string
  readonly lines: readonly string[]
  readonly exit: Exit
}

export function writeFixture(typed: string, lines: readonly Line[], { code, signal }: Exit): string {
  const end = code === null ? `signal ${signal}` : `exit ${code}`
  return [`$ ${typed}`, ...lines.map(({ text }) => text), end, ''].join('\n')
}

/** @param name such as `netperf/2.7.0-tcp-rr-ipv4-off` */
export function readFixture(name: string): Fixture {
  const text = readFileSync(new URL(`../fixtures/${name}.txt`, import.meta.url), 'utf8')
  const lines = text.trimEnd().split('\n')
  const [how, value = ''] = (lines.at(-1) ?? '').split(' ')
  const exit: Exit =
    how === 'exit' ? { type: 'exit', code: Number(value), signal: null } : { type: 'exit', code: null, signal: value }
  return { typed: (lines[0] ?? '').slice(2), lines: lines.slice(1, -1), exit }
}
