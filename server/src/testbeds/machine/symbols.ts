/** The functions of a kernel, from the text of its `/proc/kallsyms`. Pure. */

/** In ascending order of their addresses. */
export interface Symbols {
  readonly addresses: readonly bigint[]
  readonly names: readonly string[]
}

/** `ffffffff81000000 T startup_64`, and for a module `... t br_forward\t[bridge]`: the text sections alone. */
const FUNCTION = /^([0-9a-f]+) [tTwW] (\S+)/

/** Parts that the compiler moved away from a function count as the function: `tcp_ack.cold`, `tcp_ack.part.0`. */
function plainName(name: string): string {
  return name.replace(/\.(cold|part|constprop|isra|llvm).*$/, '')
}

/** Without the right to read the addresses, all of them are 0: then there are none. */
export function parseSymbols(text: string): Symbols {
  const found = text
    .split('\n')
    .flatMap((line) => {
      const [, address, name] = FUNCTION.exec(line) ?? []
      return address === undefined || name === undefined
        ? []
        : { address: BigInt(`0x${address}`), name: plainName(name) }
    })
    .filter(({ address }) => address !== 0n)
    .toSorted((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : 0))
  return { addresses: found.map(({ address }) => address), names: found.map(({ name }) => name) }
}

/** The function that an address is in; null before the first. */
export function nameAt({ addresses, names }: Symbols, address: bigint): string | null {
  let [low, high] = [0, addresses.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((addresses[middle] ?? 0n) <= address) low = middle + 1
    else high = middle
  }
  return names[low - 1] ?? null
}
