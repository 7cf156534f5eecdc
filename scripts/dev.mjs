/** The developer's server: Vite with hot reload in front, the API restarted on each change behind it. */
import { capture, exitCode, start } from './base/child.mjs'
import { inRoot } from './base/paths.mjs'
import { say } from './base/say.mjs'

/**
 * Runs Vite and the API, which end together. The first that ends gives the exit code.
 *
 * @param {{node: string, env: NodeJS.ProcessEnv}} machine
 * @returns {Promise<number>}
 */
export async function dev({ node, env }) {
  const host = env['HOST'] ?? '127.0.0.1'
  const port = Number(env['PORT'] ?? 7070)
  const backend = { host: '127.0.0.1', port: port + 1 }
  const origins = [...new Set([host, '127.0.0.1', 'localhost'])].map((name) => `http://${name}:${port}`)
  say(`The page is on ${origins[0]} (Vite), and the API behind it is on port ${backend.port}.`)

  const server = start(inRoot('scripts', 'fewer-rights'), [node, '--watch', '--watch-preserve-output', 'src/main.ts'], {
    cwd: inRoot('server'),
    env: {
      ...env,
      HOST: backend.host,
      PORT: String(backend.port),
      EXPRESSLANE_DEV: '1',
      EXPRESSLANE_ORIGINS: env['EXPRESSLANE_ORIGINS'] ?? origins.join(','),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // The server writes into a pipe, which can be a log: only a terminal gets the link, which leads to Vite.
  server.child.stdout?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    process.stdout.write(text)
    if (process.stdout.isTTY && text.includes('Expresslane is ready: ')) void sayLink()
  })
  async function sayLink() {
    const links = await capture(node, ['src/data.ts', 'link'], { cwd: inRoot('server'), env })
    say(
      links?.split('\n').find((link) => link.startsWith(`${origins[0]}/`)) ?? '`npm run data -- link` prints the link.',
    )
  }
  // Vite reads keys from a terminal, and would take Ctrl-C's place there.
  const vite = start(node, [inRoot('web', 'node_modules', 'vite', 'bin', 'vite.js')], {
    cwd: inRoot('web'),
    env: { ...env, HOST: host, PORT: String(port), EXPRESSLANE_BACKEND_PORT: String(backend.port) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const first = await Promise.race([server.ended, vite.ended])
  for (const { child } of [server, vite]) child.kill('SIGTERM')
  await Promise.all([server.ended, vite.ended])
  return exitCode(first)
}
