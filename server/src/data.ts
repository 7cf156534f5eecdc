/** `npm run data -- info | prune | vacuum | backup | link | verify`: looks after the history, prints the link, and verifies a record; beside a running server too. */
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatStorage } from '@expresslane/shared/measure/storage'
import { epochMs } from '@expresslane/shared/base/units'
import { toLabError } from '@expresslane/shared/base/errors'
import { verifyFile } from './completion/verify.ts'
import { readConfig } from './config.ts'
import { readDataArguments, type DataArguments, type PruneBy } from './data/arguments.ts'
import { counted, describeInfo, describePruned, type Info } from './data/describe.ts'
import { readLinks } from './data/link.ts'
import { movedAside } from './store/file/damaged.ts'
import type { Database } from './store/file/database.ts'
import { connect } from './store/upkeep/connect.ts'
import { backUp, vacuum } from './store/upkeep/copy.ts'
import { eventsOf, prune, runsToPrune, type PruneWish } from './store/upkeep/prune.ts'
import { databaseSize, freeSpace, inventory } from './store/upkeep/size.ts'

/** Between two transactions: a server that waits for the lock asks again after 100 ms, or within 25 ms. */
const PAUSE_MS = 5

async function infoOf(db: Database, directory: string): Promise<Info> {
  return {
    directory,
    bytes: databaseSize(directory),
    freeBytes: await freeSpace(directory),
    ...inventory(db),
    damaged: movedAside(directory),
  }
}

function wishOf(by: PruneBy, now: number): PruneWish {
  return by.by === 'age' ? { by: 'age', before: epochMs.parse(Math.max(0, now - by.ms)) } : by
}

async function pruneBy(db: Database, wish: PruneWish, dryRun: boolean): Promise<string[]> {
  if (!dryRun) return describePruned(await prune(db, wish, () => sleep(PAUSE_MS)))
  const runs = runsToPrune(db, wish)
  return [`This would prune ${counted(runs.length, 'run')} with ${counted(eventsOf(db, runs), 'event')}.`]
}

/** @returns the lines to print */
async function run(
  db: Database,
  dataDir: string,
  asked: Exclude<DataArguments, { what: 'link' | 'verify' }>,
): Promise<string[]> {
  switch (asked.what) {
    case 'info': {
      const info = await infoOf(db, dataDir)
      return asked.json ? [JSON.stringify(info, null, 2)] : describeInfo(info)
    }
    case 'prune':
      return await pruneBy(db, wishOf(asked.by, Date.now()), asked.dryRun)
    case 'vacuum': {
      const before = databaseSize(dataDir)
      vacuum(db)
      const after = databaseSize(dataDir)
      return [`The database takes ${formatStorage(after)}; before it took ${formatStorage(before)}.`]
    }
    case 'backup': {
      const file = resolve(process.env['INIT_CWD'] ?? '.', asked.file)
      return [`${file}: ${formatStorage(await backUp(db, file))}`]
    }
  }
}

async function main(argv: readonly string[]): Promise<void> {
  const asked = readDataArguments(argv)
  if (asked.what === 'verify') {
    const file = resolve(process.env['INIT_CWD'] ?? '.', asked.file)
    process.stdout.write(`${(await verifyFile(file, asked.issuer, Date.now())).join('\n')}\n`)
    return
  }
  const config = readConfig({ ...process.env, HOST: '', EXPRESSLANE_WORKSHOP: '' })
  if (asked.what === 'link') {
    process.stdout.write(`${readLinks(config).join('\n')}\n`)
    return
  }
  const { dataDir } = config
  const db = connect(dataDir)
  try {
    const lines = await run(db, dataDir, asked)
    process.stdout.write(`${lines.join('\n')}\n`)
  } finally {
    db.close()
  }
}

try {
  process.umask(0o077)
  await main(process.argv.slice(2))
} catch (error) {
  const { message, remedy, remedyCommand, detail } = toLabError(error)
  process.stderr.write(`${[message, detail, remedy, remedyCommand].filter((line) => line !== null).join('\n')}\n`)
  process.exitCode = 1
}
