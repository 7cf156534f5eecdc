import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { inRoot } from '../base/paths.mjs'

/** `/proc/PID/status` of a server that the container's entrypoint has started, and that is ready. */
async function statusOfServer(): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), 'expresslane-rights-'))
  onTestFinished(() => rmSync(data, { recursive: true }))
  const PATH = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter)
  const server = spawn(inRoot('scripts', 'docker-entrypoint'), {
    cwd: inRoot(),
    env: { PATH, HOME: data, HOST: '127.0.0.1', PORT: '0', EXPRESSLANE_DATA: join(data, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(async () => {
    server.kill('SIGTERM')
    if (server.exitCode === null) await once(server, 'exit')
  })
  await once(createInterface(server.stdout), 'line')
  return readFileSync(`/proc/${server.pid}/status`, 'latin1')
}

/** Bits of capability masks (include/uapi/linux/capability.h). */
const given = { NET_ADMIN: 12, SYS_ADMIN: 21, SYS_NICE: 23, SYSLOG: 34, BPF: 39 }
const taken = {
  CHOWN: 0,
  SETPCAP: 8,
  SYS_MODULE: 16,
  SYS_RAWIO: 17,
  SYS_BOOT: 22,
  SYS_TIME: 25,
  MKNOD: 27,
  AUDIT_CONTROL: 30,
  SETFCAP: 31,
  MAC_OVERRIDE: 32,
  MAC_ADMIN: 33,
  CHECKPOINT_RESTORE: 40,
}

test.runIf(process.getuid?.() === 0)(
  'a server of root’s has the rights that labs need, and can gain no others',
  async () => {
    const status = await statusOfServer()
    expect(status).toMatch(/^NoNewPrivs:\t1$/m)
    for (const set of ['CapPrm', 'CapEff', 'CapBnd']) {
      const mask = BigInt(`0x${new RegExp(`^${set}:\\t([0-9a-f]+)$`, 'm').exec(status)?.[1] ?? '0'}`)
      const has = (bit: number): boolean => ((mask >> BigInt(bit)) & 1n) === 1n
      expect(Object.entries(given).flatMap(([name, bit]) => (has(bit) ? [] : [name]))).toEqual([])
      expect(Object.entries(taken).flatMap(([name, bit]) => (has(bit) ? [name] : []))).toEqual([])
    }
  },
)

test.each(['start', 'lab', 'record'])('npm run %s goes through it', (name) => {
  const targets = readFileSync(inRoot('scripts', 'targets.mjs'), 'utf8')
  const [, body = ''] = targets.split(`['${name}', `)
  const [used = ''] = body.split(']')
  const [, code = ''] = targets.split(`async function ${used}(`)
  expect(code.split('\n}\n')[0]).toMatch(/(?:handOver|start)\(FEWER_RIGHTS,/)
})
