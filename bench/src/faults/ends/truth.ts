/** Whether a server reports the path as the kernel has it, which is asked without the server. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { testbedView } from '@expresslane/shared/wire/protocol'
import type { Reading } from '@expresslane/shared/testbed/reading'
import { z } from 'zod'
import type { BenchApp } from '../../support/app.ts'
import { enterHolder, findHolder } from '../../support/holder.ts'

const exec = promisify(execFile)

const links = z.array(
  z.object({
    ifname: z.string(),
    mtu: z.number(),
    gso_max_size: z.number(),
    gro_max_size: z.number(),
    gso_ipv4_max_size: z.number(),
    gro_ipv4_max_size: z.number(),
  }),
)

type Kernel = ReadonlyMap<string, string>

const sizes = (...values: readonly (number | null)[]): string => values.join(' ')

function reported({ mtu, gsoMaxSize, groMaxSize, gsoIpv4MaxSize, groIpv4MaxSize }: Reading): string {
  return sizes(mtu, gsoMaxSize, groMaxSize, gsoIpv4MaxSize, groIpv4MaxSize)
}

/** All devices of the path's namespaces, with their sizes. */
async function readKernel(holder: number): Promise<Kernel> {
  const inside = async (...argv: string[]): Promise<string> =>
    (await exec('nsenter', [...enterHolder(holder), 'ip', ...argv])).stdout
  const names = (await inside('netns', 'list')).split('\n').flatMap((line) => line.split(' ')[0] || [])
  const read = names.map(async (name) => {
    const found = links.parse(JSON.parse(await inside('netns', 'exec', name, 'ip', '-d', '-j', 'link')))
    return found
      .filter(({ ifname }) => ifname !== 'lo')
      .map((one) => {
        const { ifname, mtu, gso_max_size: gso, gro_max_size: gro } = one
        return [`${name} ${ifname}`, sizes(mtu, gso, gro, one.gso_ipv4_max_size, one.gro_ipv4_max_size)] as const
      })
  })
  return new Map((await Promise.all(read)).flat())
}

/** @returns where the server's report differs from the kernel; empty if nowhere */
export async function untruths(app: BenchApp): Promise<string[]> {
  const { datapath, busy, problem } = testbedView.parse(await app.ask('GET', '/api/testbeds/netns'))
  if (datapath === null) return [`the path was not read: ${problem?.message ?? 'no problem'}`]
  const kernel = await readKernel(await findHolder(app.server.pid ?? Number.NaN))
  const said = new Map(datapath.kernel.map((device) => [`${device.where} ${device.device}`, reported(device)]))
  const places = [...new Set([...kernel.keys(), ...said.keys()])]
  const differ = places.filter((place) => kernel.get(place) !== said.get(place))
  const pods = [...kernel.keys()].some((place) => place.startsWith('pod'))
  return [
    ...differ.map((place) => `${place}: said ${said.get(place) ?? 'nothing'}, is ${kernel.get(place) ?? 'not there'}`),
    ...(pods === (datapath.placement !== null) ? [] : ['pods are said to be where none are, or the other way round']),
    ...(busy === null ? [] : [`said to be busy with ${busy.stepId}`]),
  ]
}
