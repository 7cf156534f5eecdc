import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { inRoot } from '../base/paths.mjs'

const checkouts = mkdtempSync(join(tmpdir(), 'expresslane-imports-'))
afterAll(() => rmSync(checkouts, { recursive: true }))

const forbidden = [
  'shared/src/new.ts: node:fs',
  'shared/src/new.ts: fastify',
  'shared/src/new.ts: ../../server/src/config.ts',
  'web/src/api/new.ts: node:path',
  'web/src/new.tsx: @expresslane/server/config',
  'web/src/new.ts: ../../server/src/config.ts',
  'e2e/tests/new.ts: ../../server/src/config.ts',
  'e2e/support/new.ts: ../../web/src/theme.ts',
  'bench/src/new.ts: ../../server/src/app.ts',
  'server/src/tools/new.ts: node:fs',
  'server/src/tools/new.ts: node:child_process',
  'server/src/tools/new.ts: ../testbeds/testbed.ts',
  'server/src/labs/new.ts: ../runs/perform.ts',
  'server/src/labs/new.ts: node:os',
  'server/src/main.ts: ./routes/labs.ts',
  'server/src/main.ts: ./testbeds/netns/testbed.ts',
  'server/src/app.ts: ./testbeds/netns/testbed.ts',
  'server/src/deps.ts: ./routes/labs.ts',
  'server/src/headless.ts: ./testbeds/netns/testbed.ts',
  'server/src/routes/new.ts: ../testbeds/netns/testbed.ts',
  'server/src/routes/new.ts: ../tools/netperf.ts',
  'server/src/routes/new.ts: ../app.ts',
  'server/src/runs/new.ts: ../routes/labs.ts',
  'server/src/runs/new.ts: ../testbeds/netns/testbed.ts',
  'server/src/runs/actions/new.ts: ../../testbeds/recording/testbed.ts',
  'server/src/runs/new.ts: fastify',
  'server/src/store/new.ts: ../routes/labs.ts',
  'server/src/testbeds/netns/new.ts: ../../runs/perform.ts',
  'server/src/testbeds/netns/new.ts: ../kubernetes/client.ts',
  'server/src/testbeds/netns/new.ts: ../../routes/labs.ts',
  'server/src/config.ts: ../../web/src/theme.ts',
]

const allowed = [
  'shared/src/new.ts: zod',
  'shared/src/new.ts: ./units.ts',
  'shared/src/report/new.ts: ../units.ts',
  'web/src/new.ts: @expresslane/shared/units',
  'web/src/new.tsx: react',
  'e2e/tests/new.ts: @expresslane/shared/units',
  'e2e/tests/new.ts: node:fs',
  'e2e/tests/new.ts: ../support/app.ts',
  'server/src/tools/new.ts: @expresslane/shared/units',
  'server/src/tools/new.ts: ./key-values.ts',
  'server/src/tools/new.ts: zod',
  'server/src/labs/new.ts: @expresslane/shared/lab',
  'server/src/labs/new.ts: ./big-tcp.ts',
  'server/src/app.ts: ./routes/labs.ts',
  'server/src/deps.ts: ./testbeds/netns/testbed.ts',
  'server/src/routes/new.ts: ./reply.ts',
  'server/src/routes/new.ts: ../runs/coordinator.ts',
  'server/src/routes/new.ts: fastify',
  'server/src/runs/new.ts: ../testbeds/testbed.ts',
  'server/src/runs/new.ts: ../labs/registry.ts',
  'server/src/runs/new.ts: ../tools/netperf.ts',
  'server/src/testbeds/netns/new.ts: node:child_process',
  'server/src/testbeds/netns/new.ts: ../../tools/ip-link.ts',
  'server/src/testbeds/netns/new.ts: ../testbed.ts',
]

/** Lints files that hold the imports under this project's rules; returns those that the import rules refuse. */
function refused(imports: readonly string[]): string[] {
  const checkout = mkdtempSync(join(checkouts, 'checkout-'))
  copyFileSync(inRoot('.oxlintrc.json'), join(checkout, '.oxlintrc.json'))
  const files = new Map<string, string[]>()
  for (const line of imports) {
    const [file = '', specifier = ''] = line.split(': ')
    files.set(file, [...(files.get(file) ?? []), specifier])
  }
  for (const [file, specifiers] of files) {
    mkdirSync(dirname(join(checkout, file)), { recursive: true })
    writeFileSync(join(checkout, file), specifiers.map((specifier) => `export * from '${specifier}'\n`).join(''))
  }
  const { stdout } = spawnSync(inRoot('node_modules', '.bin', 'oxlint'), ['--format=unix'], {
    cwd: checkout,
    encoding: 'utf8',
  })
  return stdout.split('\n').flatMap((line) => {
    const found = /^([^:]+):(\d+):\d+: .*no-restricted-imports/.exec(line)
    const file = found?.[1] ?? ''
    const specifier = files.get(file)?.[Number(found?.[2]) - 1]
    return specifier === undefined ? [] : [`${file}: ${specifier}`]
  })
}

test('each import across a seam is refused', () => {
  expect([...new Set(refused(forbidden))].toSorted()).toEqual(forbidden.toSorted())
})

test('imports along the seams are not', () => {
  expect(refused(allowed)).toEqual([])
})
