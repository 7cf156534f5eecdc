/** `ip address`: the addresses of a device. */
import { z } from 'zod'
import { readOutput, type Described } from './read-output.ts'

const printed = z.array(
  z.object({ addr_info: z.array(z.object({ local: z.string(), scope: z.string() })).default([]) }),
)

const output: Described = {
  name: 'The output of `ip address`',
  remedy: 'Check that `ip -j address` prints JSON on this machine.',
}

export function addressesArgv(device: string): string[] {
  return ['ip', '-j', 'address', 'show', 'dev', device]
}

/** The addresses that other machines can reach, of both families. @throws LabError `tool_output_unreadable` */
export function parseAddresses(text: string): string[] {
  return readOutput(printed, text, output).flatMap(({ addr_info: all }) =>
    all.flatMap(({ local, scope }) => (scope === 'global' ? [local] : [])),
  )
}
