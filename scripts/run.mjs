/**
 * Every `npm` script of this project runs this file: `node scripts/run.mjs TARGET [ARGUMENTS]`. It runs on any Node
 * from 20 on, and brings the newer Node that everything else runs on.
 */
const oldest = 20
if (Number(process.versions.node.split('.')[0]) < oldest) {
  process.stderr.write(
    `expresslane: this machine has Node ${process.versions.node}, and the set-up needs ${oldest} or newer.\n` +
      'Install a newer Node (https://nodejs.org/en/download) and run the command again.\n',
  )
  process.exit(1)
}

const { passSignalsOn } = await import('./base/child.mjs')
const { sayError } = await import('./base/say.mjs')
const { targets } = await import('./targets.mjs')

passSignalsOn()
const [name = '', ...args] = process.argv.slice(2)
const target = targets.get(name)
if (target === undefined) {
  process.stderr.write(`usage: node scripts/run.mjs ${[...targets.keys()].join('|')} [ARGUMENTS]\n`)
  process.exit(2)
}
try {
  process.exitCode = await target(args)
} catch (error) {
  sayError(error)
  process.exitCode = 1
}
