/**
 * `main.mjs`: builds the emulated computer, if it is not here; `main.mjs where`: prints its folder, or nothing; `main.mjs
 * lock`: writes the lock of its packages again. A process of its own, because it runs on the packaged Node, which reads TypeScript and packs with zstd.
 */
import { passSignalsOn } from '../base/child.mjs'
import { say, sayError, timed } from '../base/say.mjs'
import { build } from './build.mjs'
import { readyMachine } from './machine.mjs'
import { writeLock } from './packages.mjs'

passSignalsOn()
try {
  if (process.argv[2] === 'lock') await writeLock(process.env)
  else if (process.argv[2] === 'where') process.stdout.write(readyMachine() ?? '')
  else if (readyMachine() === null) await timed('Built the emulated computer', () => build(process.env))
  else say(`The emulated computer is in ${readyMachine()}.`)
} catch (error) {
  sayError(error)
  process.exitCode = 1
}
// The emulator's timers.
process.exit()
