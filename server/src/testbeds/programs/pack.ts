/** Packs this machine's programs with their loader and libraries, for places that have none of them. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { machine as processorHere } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { LabError } from '@expresslane/shared/base/errors'
import type { Machine } from '../machine/machine.ts'
import { runProcess } from '../machine/run.ts'
import { linesOf } from '../target.ts'
import { typedLine } from '../typed.ts'
import { tarOf } from './tar.ts'

/** Where pods have them. */
export const PROGRAMS = '/tools'

/** The programs that labs run in pods, each with arguments that it always gets. */
const programs: Readonly<Record<string, string>> = {
  ip: '',
  iperf3: '',
  netperf: '',
  netserver: '',
  // It drops root, by default to a user whom only its package creates.
  tcpdump: ' -Z nobody',
}

/** The processor as `uname -m` prints it. */
export const processor = processorHere()
/** As Kubernetes names it. */
export const architecture = { x86_64: 'amd64', aarch64: 'arm64' }[processor] ?? processor

export type ProgramsMachine = Pick<Machine, 'name' | 'start' | 'findProgram' | 'toolPath'>

export interface Packed {
  readonly archive: Buffer
  readonly sha256: string
}

/** The time for a loader to list libraries, which takes milliseconds. */
const LIST_MS = 10_000

function cannotPack(why: string): LabError {
  return new LabError(
    'tool_missing',
    `The labs’ programs can’t be copied from this machine: ${why}`,
    'Install them. For pods, EXPRESSLANE_NETPERF_IMAGE can name an image that has them: manifests/netperf-image builds one.',
  )
}

/** The loader that a program names (ELF's PT_INTERP), null for other files. Pure. */
export function loaderOf(file: Buffer): string | null {
  const isElf64 = file.subarray(0, 6).equals(Buffer.from('\u007fELF\u0002\u0001', 'latin1'))
  if (!isElf64) return null
  const [size, count] = [file.readUInt16LE(54), file.readUInt16LE(56)]
  for (let index = 0; index < count; index += 1) {
    const at = Number(file.readBigUInt64LE(32)) + index * size
    if (file.readUInt32LE(at) !== 3) continue
    const from = Number(file.readBigUInt64LE(at + 8))
    return file.toString('latin1', from, from + Number(file.readBigUInt64LE(at + 32)) - 1)
  }
  return null
}

/** The files that a program loads. */
async function librariesOf(program: string, loader: string, machine: ProgramsMachine): Promise<string[]> {
  const argv = [loader, '--list', program]
  const output = runProcess({ argv, deadlineMs: LIST_MS }, machine, new AbortController().signal)
  const named = (await linesOf(output, typedLine(argv))).flatMap((line) => /=> (\/.*) \(0x/.exec(line)?.[1] ?? [])
  // glibc loads it only when a thread ends, as those of iperf3 do.
  const beside = named
    .filter((file) => basename(file) === 'libc.so.6')
    .map((file) => join(dirname(file), 'libgcc_s.so.1'))
  return [...named, ...beside]
}

export interface PackOptions {
  /** The folder where they are unpacked, which the programs name. @defaultValue that of pods */
  readonly at?: string
  /** More programs, each if this machine has it. @defaultValue none */
  readonly also?: readonly string[]
  /** Files beside them, by name. @defaultValue none */
  readonly files?: ReadonlyMap<string, Buffer>
}

/** @throws LabError `tool_missing` if this machine has no programs that run on Linux nodes */
export async function packPrograms(machine: ProgramsMachine, options: PackOptions = {}): Promise<Packed> {
  const { at = PROGRAMS, also = [] } = options
  if (process.platform !== 'linux') throw cannotPack('its system is not Linux.')
  const wanted = [...Object.entries(programs), ...also.map((name) => [name, ''] as const)]
  const packed = await Promise.all(
    wanted.map(async ([name, args]) => {
      const path = await machine.findProgram(name)
      if (path === null && also.includes(name)) return []
      if (path === null) throw cannotPack(`${name} is not in ${machine.toolPath}.`)
      const body = await readFile(path)
      const loader = loaderOf(body)
      if (loader === null) throw cannotPack(`${path} names no loader.`)
      return [{ name, args, body, loader, libraries: await librariesOf(path, loader, machine) }]
    }),
  )
  const found = packed.flat()
  const loaders = [...new Set(found.map(({ loader }) => loader))]
  const files = new Map<string, Buffer>(options.files)
  for (const { name, args, body, loader, libraries } of found) {
    // A loader only works with its own libc.
    const folder = `lib${loaders.indexOf(loader)}`
    for (const file of [loader, ...libraries]) files.set(`${folder}/${basename(file)}`, await readFile(file))
    const start = `${at}/${folder}/${basename(loader)} --library-path ${at}/${folder}`
    files.set(`programs/${name}`, body)
    files.set(`bin/${name}`, Buffer.from(`#!/bin/sh\nexec ${start} ${at}/programs/${name}${args} "$@"\n`))
  }
  const archive = await tarOf(files)
  return { archive, sha256: createHash('sha256').update(archive).digest('hex') }
}
