/** The machine outside of the kit's cluster, and the wire between its nodes. */
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const exec = promisify(execFile)
const root = fileURLToPath(new URL('../../../../', import.meta.url))
/** The network namespace of the kit's bridge. */
const BRIDGE = 'kb-net'

/** The kit's program for the machine outside. */
const named = process.env['E2E_OUTSIDE'] ?? ''

export const hasOutside = named !== ''
const program = resolve(root, named)

/** The command in front of what is run there. */
export const outsideCommand = `${program} exec`

async function run(file: string, ...args: string[]): Promise<void> {
  await exec(file, args, { cwd: root })
}

/** Makes the machine outside. */
export async function makeOutside(): Promise<void> {
  await run(program, 'up')
}

/** Prepares the wire for XDP: whole checksums, and an XDP program at the other end of each node's veth. */
export async function prepareWire(): Promise<void> {
  await run(program, 'wire', 'xdp')
  await run('ip', 'netns', 'exec', BRIDGE, 'scripts/cluster/xdp-wire.py', 'on')
}

/** Undoes both, and ends the machine outside. */
export async function undoOutside(): Promise<void> {
  await run('ip', 'netns', 'exec', BRIDGE, 'scripts/cluster/xdp-wire.py', 'off')
  await run(program, 'wire', 'plain')
  await run(program, 'down')
}
