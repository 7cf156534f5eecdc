/** Keeps services from starting while packages are installed, with a file that invoke-rc.d(8) asks. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'

const policyFile = '/usr/sbin/policy-rc.d'
const dpkgLock = '/var/lib/dpkg/lock'
const head = '#!/bin/sh\n# Expresslane is installing tools: no service starts meanwhile.\n'

/**
 * When a process started, in the kernel's ticks: with its id this names one process for ever.
 *
 * @param {number} pid
 * @returns {string | null} null when there is none
 */
function startOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // After the name in parentheses, which can contain anything, this is the 20th (proc_pid_stat(5): 22).
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

/** @param {string} file @returns {string | null} */
function textOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/**
 * Whether a process has locked a file, as apt and dpkg do while they install (proc_locks(5)).
 *
 * @param {string} file
 */
function isLocked(file) {
  if (!existsSync(file)) return false
  return readFileSync('/proc/locks', 'latin1').includes(`:${statSync(file).ino} `)
}

/**
 * Debian starts a package's service as it installs it, and netserver would then listen on the host.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @param {string} [file]
 * @returns {Promise<T>}
 */
export async function withoutServices(work, file = policyFile) {
  const before = textOf(file)
  if (before !== null && !before.startsWith(head)) return await work()
  const policy = `${head}# process ${process.pid} ${startOf(process.pid)}\nexit 101\n`
  writeFileSync(file, policy, { mode: 0o755 })
  try {
    return await work()
  } finally {
    // Another set-up may need its own now.
    if (textOf(file) === policy) rmSync(file, { force: true })
  }
}

/**
 * Removes the file of a set-up that was killed, unless the apt that it started still runs.
 *
 * @param {string} [file]
 * @param {string} [lock]
 */
export function removeLeftPolicy(file = policyFile, lock = dpkgLock) {
  const text = textOf(file)
  if (text === null || !text.startsWith(head) || isLocked(lock)) return
  const [, pid = '', start = ''] = /^# process (\d+) (\d+)$/m.exec(text) ?? []
  if (pid !== '' && startOf(Number(pid)) === start) return
  rmSync(file, { force: true })
}
