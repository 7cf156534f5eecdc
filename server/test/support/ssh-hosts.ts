/** Hosts that ssh reaches: for each connection ssh itself starts a server, as inetd does. No port is open, and nothing is left. */
import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Not below the system's folder for temporary files: dropbear takes no keys from folders that others can write to. */
const CACHE = join(import.meta.dirname, '../../../.cache')

const SERVER = fileURLToPath(new URL('./ssh-server.ts', import.meta.url))

export interface SshHosts {
  /** A configuration of ssh that has the hosts (ssh_config(5)). */
  readonly configFile: string
  remove(): Promise<void>
}

export interface SshHost {
  /** The command that enters the place of the host's server. @defaultValue none: it is this machine itself */
  readonly enter?: readonly string[]
  /** The commands of the login's shell before each command. @defaultValue none */
  readonly login?: string
}

/** @param hosts by name */
export async function createSshHosts(hosts: Readonly<Record<string, SshHost>>): Promise<SshHosts> {
  const folder = await mkdtemp(join(CACHE, 'ssh-hosts-'))
  const file = (name: string): string => join(folder, name)
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file('key')])
  await run('dropbearkey', ['-t', 'ed25519', '-f', file('host-key')])
  await copyFile(file('key.pub'), file('authorized_keys'))
  await chmod(file('authorized_keys'), 0o600)
  const server = `${process.execPath} ${SERVER} ${folder}`
  const logins = Object.entries(hosts).map(async ([name, { login = '' }]) => {
    await writeFile(file(`${name}.sh`), `${login}\nexec sh -c "$SSH_ORIGINAL_COMMAND"\n`)
  })
  await Promise.all(logins)
  const texts = Object.entries(hosts).map(([name, { enter = [] }]) =>
    [
      `Host ${name}`,
      `  ProxyCommand ${[...enter, server, file(`${name}.sh`)].join(' ')} 2>>${file('log')}`,
      `  IdentityFile ${file('key')}`,
      '  IdentitiesOnly yes',
      '  StrictHostKeyChecking no',
      `  UserKnownHostsFile ${file('known-hosts')}`,
    ].join('\n'),
  )
  await writeFile(file('config'), `${texts.join('\n')}\n`)
  return { configFile: file('config'), remove: () => rm(folder, { recursive: true, force: true }) }
}
