/** The process that holds a server's testbed on this machine. */
import { readdir, readFile, readlink } from 'node:fs/promises'

async function childrenOf(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`)
  const lists = await Promise.all(tasks.map((task) => readFile(`/proc/${pid}/task/${task}/children`, 'utf8')))
  return lists.flatMap((list) => list.trim().split(/\s+/).filter(Boolean).map(Number))
}

/** The server's descendants, the nearest first. */
async function* descendantsOf(server: number): AsyncGenerator<number> {
  const queue = [server]
  for (let pid = queue.shift(); pid !== undefined; pid = queue.shift()) {
    if (pid !== server) yield pid
    queue.push(...(await childrenOf(pid)))
  }
}

/** The first descendant of the server in another pid namespace. @throws Error when there is none */
export async function findHolder(server: number): Promise<number> {
  const own = await readlink('/proc/self/ns/pid')
  for await (const pid of descendantsOf(server)) if ((await readlink(`/proc/${pid}/ns/pid`)) !== own) return pid
  throw new Error('the server holds no testbed')
}

/** The server's descendant that runs the NodePort helper's generator. @throws Error when there is none */
export async function findGenerator(server: number): Promise<number> {
  for await (const pid of descendantsOf(server)) {
    const [program = '', subcommand] = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    if (/\/nodeport-\w+$/.test(program) && subcommand === 'generate') return pid
  }
  throw new Error('the server sends no packets')
}

/** The arguments of `nsenter` for a command in its namespaces. The command is root there (`-S 0`), for root of the host, too. */
export function enterHolder(holder: number): string[] {
  return ['-t', `${holder}`, '-U', '-n', '-m', '-p', '-S', '0', '--preserve-credentials']
}
