/** `ip address`: the addresses of a device. */
import { LabError } from '@expresslane/shared/base/errors'
import { z } from 'zod'

const printed = z.array(
  z.object({ addr_info: z.array(z.object({ local: z.string(), scope: z.string() })).default([]) }),
)

export function addressesArgv(device: string): string[] {
  return ['ip', '-j', 'address', 'show', 'dev', device]
}

/** The addresses that other machines can reach, of both families. @throws LabError `tool_output_unreadable` */
export function parseAddresses(text: string): string[] {
  try {
    const devices = printed.parse(JSON.parse(text))
    return devices.flatMap(({ addr_info: all }) =>
      all.flatMap(({ local, scope }) => (scope === 'global' ? [local] : [])),
    )
  } catch (error) {
    throw new LabError(
      'tool_output_unreadable',
      'The output of `ip address` could not be read.',
      'Check that `ip -j address` prints JSON on this machine.',
      { detail: text.slice(0, 500), cause: error },
    )
  }
}
