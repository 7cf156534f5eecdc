/** main.ts, which also prints a line for each SIGUSR2, and says on stderr how that went. */
import '../../../src/main.ts'

process.on('SIGUSR2', () => {
  process.stdout.write('a line\n', (error) => {
    process.stderr.write(`${error === undefined || error === null ? 'printed' : error.message}\n`)
  })
})
