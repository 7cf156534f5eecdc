/** A program that takes the write lock of a database, says so, and holds it until its input ends. */
import { DatabaseSync } from 'node:sqlite'

const db = new DatabaseSync(process.argv[2] ?? '', { timeout: 5000 })
db.exec('BEGIN IMMEDIATE')
process.stdout.write('locked\n')
process.stdin.resume().on('end', () => {
  db.exec('ROLLBACK')
  db.close()
})
