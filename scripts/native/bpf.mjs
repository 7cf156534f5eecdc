/**
 * Turns the BPF object into C arrays: each program's instructions, and where they name a map. The helper makes the maps
 * and fills in their descriptors, so it needs no library, no BTF and no file to load.
 */

/** R_BPF_64_64 of the BPF ABI: the two halves of a 64-bit constant, here a map. */
const MAP_RELOCATION = 1
const INSTRUCTION_BYTES = 8
/** `struct map` in bpf/maps.h: five 32-bit numbers. */
const MAP_BYTES = 20

/** @typedef {{name: string, type: number, link: number, info: number, bytes: Buffer}} Section */

/** @param {Buffer} bytes @param {number} at */
function textAt(bytes, at) {
  return bytes.toString('utf8', at, bytes.indexOf(0, at))
}

/**
 * The sections of a 64-bit little-endian ELF file.
 *
 * @param {Buffer} elf
 * @returns {Section[]}
 */
function sections(elf) {
  const [start, size, count, names] = [
    Number(elf.readBigUInt64LE(0x28)),
    elf.readUInt16LE(0x3a),
    elf.readUInt16LE(0x3c),
    elf.readUInt16LE(0x3e),
  ]
  const headers = Array.from({ length: count }, (_, index) => elf.subarray(start + index * size))
  /** @param {Buffer} header */
  const content = (header) => {
    const offset = Number(header.readBigUInt64LE(0x18))
    // SHT_NOBITS (8) has a size and no bytes.
    return header.readUInt32LE(4) === 8
      ? Buffer.alloc(0)
      : elf.subarray(offset, offset + Number(header.readBigUInt64LE(0x20)))
  }
  const strings = content(headers[names] ?? Buffer.alloc(64))
  return headers.map((header) => ({
    name: textAt(strings, header.readUInt32LE(0)),
    type: header.readUInt32LE(4),
    link: header.readUInt32LE(0x28),
    info: header.readUInt32LE(0x2c),
    bytes: content(header),
  }))
}

/** @param {Section[]} all @param {string} name */
function named(all, name) {
  const found = all.find((section) => section.name === name)
  if (found === undefined) throw new Error(`The BPF object has no section ${name}.`)
  return found
}

/**
 * @param {Buffer} elf
 * @returns {string} a C file
 */
export function bpfToC(elf) {
  const all = sections(elf)
  const mapSection = named(all, 'maps')
  const symbols = named(all, '.symtab')
  const names = all[symbols.link]?.bytes ?? Buffer.alloc(0)
  /** @param {number} index */
  const symbol = (index) => {
    const entry = symbols.bytes.subarray(index * 24, index * 24 + 24)
    return {
      name: textAt(names, entry.readUInt32LE(0)),
      section: entry.readUInt16LE(6),
      value: Number(entry.readBigUInt64LE(8)),
    }
  }
  const maps = Array.from({ length: symbols.bytes.length / 24 }, (_, index) => symbol(index))
    .filter(({ section, name }) => all[section] === mapSection && name !== '')
    .toSorted((a, b) => a.value - b.value)
  if (maps.length * MAP_BYTES !== mapSection.bytes.length) throw new Error('A map has no name, or another size.')

  const lines = ['/* Made by scripts/native/bpf.mjs. */', '#include "loader.h"', '']
  lines.push('const struct map_image map_images[] = {')
  for (const { name, value } of maps) {
    const numbers = Array.from({ length: 5 }, (_, index) => mapSection.bytes.readUInt32LE(value + index * 4))
    lines.push(`\t{"${name}", ${numbers.join(', ')}},`)
  }
  lines.push('};', '')

  const programs = all.filter(({ name }) => name.startsWith('program/'))
  const images = programs.map((section) => {
    const name = section.name.slice('program/'.length)
    const count = section.bytes.length / INSTRUCTION_BYTES
    lines.push(`static const __u64 ${name}_code[] = {`)
    for (let at = 0; at < count; at++) {
      lines.push(`\t0x${section.bytes.readBigUInt64LE(at * INSTRUCTION_BYTES).toString(16)},`)
    }
    lines.push('};', `static const struct map_use ${name}_uses[] = {`)
    const uses = relocations(all, section, symbol).map(({ at, to }) => {
      const map = maps.findIndex(({ value, section: of }) => of === to.section && value === to.value)
      if (map < 0) throw new Error(`${name} names ${to.name}, which is no map.`)
      return `\t{${at}, ${map}},`
    })
    lines.push(...uses, '};', '')
    return `\t{"${name}", ${name}_code, ${count}, ${name}_uses, ${uses.length}},`
  })
  lines.push('const struct program_image program_images[] = {', ...images, '};', '')
  return lines.join('\n')
}

/**
 * @template Symbol
 * @param {Section[]} all
 * @param {Section} section
 * @param {(index: number) => Symbol} symbol
 * @returns {{at: number, to: Symbol}[]} by instruction
 */
function relocations(all, section, symbol) {
  const table = all.find(({ type, info }) => type === 9 && all[info] === section)
  if (table === undefined) return []
  return Array.from({ length: table.bytes.length / 16 }, (_, index) => {
    const entry = table.bytes.subarray(index * 16)
    const type = entry.readUInt32LE(8)
    if (type !== MAP_RELOCATION) throw new Error(`${section.name} has a relocation of type ${type}.`)
    return { at: Number(entry.readBigUInt64LE(0)) / INSTRUCTION_BYTES, to: symbol(entry.readUInt32LE(12)) }
  })
}
