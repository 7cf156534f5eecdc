/** The NodePort helper refuses to run in the machine's own network namespace, which integration tests do not have. */
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { nodeportProgram } from '../../../src/tools/nodeport/argv.ts'
import { findHelperError } from '../../../src/tools/nodeport/lines.ts'

const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

test.each(['echo --port 9', 'counters --of sink', 'device --device lo', 'handshake --address 127.0.0.1 --port 9'])(
  'the machine’s own network namespace is refused: %s',
  (words) => {
    const folder = mkdtempSync(join(tmpdir(), 'expresslane-guard-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const program = join(folder, 'nodeport')
    copyFileSync(nodeportProgram, program)
    for (const path of [folder, program]) chmodSync(path, 0o755)
    for (const ids of isRoot ? [{}, { uid: NOBODY, gid: NOBODY }] : [{}]) {
      const { status, stderr } = spawnSync(program, words.split(' '), { cwd: '/', encoding: 'utf8', ...ids })
      expect(findHelperError(stderr.split('\n'))).toMatchObject({ code: 'initial_namespace' })
      expect(status).toBe(1)
    }
  },
)
