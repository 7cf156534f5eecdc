import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { routeFolders } from '../../walls/server.ts'
import { sharedOrder } from '../../walls/shared.ts'
import { below, rooms } from '../../walls/web.ts'
import { inRoot } from '../base/paths.mjs'

const checkouts = mkdtempSync(join(tmpdir(), 'expresslane-imports-'))
afterAll(() => rmSync(checkouts, { recursive: true }))

const forbidden = [
  'shared/src/new.ts: node:fs',
  'shared/src/new.ts: fastify',
  'shared/src/new.ts: ../../server/src/config.ts',
  'shared/src/run/new.ts: ../features/big-tcp/proof.ts',
  'shared/src/features/new.ts: ./big-tcp/settings.ts',
  'shared/src/features/big-tcp/new.ts: ../nodeport/settings.ts',
  'shared/src/testbed/new.ts: ../features/big-tcp/size.ts',
  'shared/src/testbed/new.ts: ../measure/measurement.ts',
  'shared/src/testbed/new.ts: ../measure/series.ts',
  'shared/src/features/new.ts: ../run/events.ts',
  'shared/src/run/new.ts: ../wire/protocol.ts',
  'web/src/api/new.ts: node:path',
  'web/src/new.tsx: @expresslane/server/config',
  'web/src/new.ts: ../../server/src/config.ts',
  'web/src/new.ts: @expresslane/shared/test/builders',
  'server/src/new.ts: @expresslane/shared/test/builders',
  'web/src/new.ts: ./walk/walk.tsx',
  'web/src/pages/new.tsx: ../walk/walk.tsx',
  'web/src/pages/new.tsx: ../features/big-tcp/path/path-view.tsx',
  'web/src/pages/new.tsx: ../features/big-tcp/index.ts',
  'web/src/pages/new.tsx: ../features/registry.ts',
  'web/src/walk/new.tsx: ../features/big-tcp/index.ts',
  'web/src/walk/new.ts: @expresslane/shared/features/big-tcp/settings',
  'web/src/charts/new.ts: @expresslane/shared/features/big-tcp/size',
  'web/src/features/new.ts: ./big-tcp/index.ts',
  'web/src/features/new.ts: @expresslane/shared/features/big-tcp/size',
  'web/src/features/big-tcp/new.ts: ../nodeport/index.ts',
  'web/src/features/big-tcp/path/new.ts: ../../nodeport/index.ts',
  'web/src/walk/action/new.ts: ../../result/measurement/figures.tsx',
  'web/src/walk/new.ts: ../pages/lab-page.tsx',
  'web/src/walk/new.ts: ../present/index.ts',
  'web/src/pages/new.tsx: ../present/stage/stage.tsx',
  'web/src/follow/new.tsx: @mantine/core',
  'web/src/follow/new.tsx: recharts',
  'web/src/follow.tsx: react-router',
  'web/src/follow.tsx: ./follow/follow-page.tsx',
  'web/src/components/frame/new.ts: ../../routes.tsx',
  'e2e/tests/new.ts: ../../server/src/config.ts',
  'e2e/support/new.ts: ../../web/src/theme.ts',
  'bench/src/new.ts: ../../server/src/app.ts',
  'server/src/tools/new.ts: node:fs',
  'server/src/tools/new.ts: node:child_process',
  'server/src/tools/new.ts: ../testbeds/testbed.ts',
  'server/src/tools/iperf3/new.ts: ../../testbeds/testbed.ts',
  'server/src/tools/iperf3/new.ts: node:fs',
  'server/src/labs/new.ts: ../runs/perform/perform.ts',
  'server/src/main.ts: ./routes/labs.ts',
  'server/src/main.ts: ./testbeds/netns/testbed.ts',
  'server/src/app.ts: ./testbeds/netns/testbed.ts',
  'server/src/deps.ts: ./routes/labs.ts',
  'server/src/headless.ts: ./testbeds/netns/testbed.ts',
  'server/src/routes/new.ts: ../testbeds/netns/testbed.ts',
  'server/src/routes/new.ts: ../tools/netperf.ts',
  'server/src/routes/new.ts: ../app.ts',
  'server/src/routes/labs/new.ts: ../stream.ts',
  'server/src/routes/labs/new.ts: ../../tools/netperf.ts',
  'server/src/runs/new.ts: ../routes/labs.ts',
  'server/src/runs/new.ts: ../testbeds/netns/testbed.ts',
  'server/src/runs/actions/new.ts: ../../testbeds/kubernetes/index.ts',
  'server/src/runs/new.ts: ../replay/perform.ts',
  'server/src/store/new.ts: ../access/principal.ts',
  'server/src/replay/new.ts: ../testbeds/testbed.ts',
  'server/src/replay/new.ts: ../routes/recordings.ts',
  'server/src/replay/new.ts: fastify',
  'server/src/workers/new.ts: ../replay/play.ts',
  'server/src/runs/new.ts: ../features/big-tcp/feature.ts',
  'server/src/runs/actions/new.ts: ../../features/big-tcp/feature.ts',
  'server/src/headless/new.ts: ../features/big-tcp/feature.ts',
  'server/src/features/new.ts: ./big-tcp/feature.ts',
  'server/src/features/big-tcp/new.ts: ../nodeport/feature.ts',
  ...[
    'app.ts',
    'deps.ts',
    'main.ts',
    'runs/actions/new.ts',
    'runs/new.ts',
    'routes/new.ts',
    'store/new.ts',
    'benchmarks/new.ts',
    'features/new.ts',
    'replay/new.ts',
    'access/new.ts',
    'labs/new.ts',
    'tools/new.ts',
    'headless/new.ts',
    'testbeds/new.ts',
  ].map((file) => `server/src/${file}: @expresslane/shared/features/big-tcp/settings`),
  'server/src/features/big-tcp/new.ts: ../../runs/log/run-log.ts',
  'server/src/features/new.ts: ../store/runs.ts',
  'server/src/benchmarks/new.ts: ../features/registry.ts',
  'server/src/benchmarks/new.ts: ../testbeds/netns/index.ts',
  'server/src/benchmarks/new.ts: ../runs/perform/step-context.ts',
  'server/src/access/new.ts: ../runs/log/run-log.ts',
  'server/src/access/new.ts: ../routes/gate.ts',
  'server/src/access/new.ts: fastify',
  'server/src/classroom/new.ts: ../routes/gate.ts',
  'server/src/classroom/new.ts: fastify',
  'server/src/operations/new.ts: ../routes/http/gate.ts',
  'server/src/operations/new.ts: ../testbeds/testbed.ts',
  'server/src/operations/new.ts: fastify',
  'server/src/runs/new.ts: ../operations/metrics.ts',
  'server/src/runs/new.ts: ../classroom/presence.ts',
  'server/src/present/new.ts: ../access/principal.ts',
  'server/src/present/new.ts: fastify',
  'server/src/runs/new.ts: ../present/presenting.ts',
  'shared/src/run/new.ts: ../present/pause.ts',
  'server/src/testbeds/netns/new.ts: ../../replay/perform.ts',
  'server/src/runs/new.ts: fastify',
  'server/src/store/new.ts: ../routes/labs.ts',
  'server/src/testbeds/netns/new.ts: ../../runs/perform/perform.ts',
  'server/src/testbeds/netns/new.ts: ../kubernetes/client.ts',
  'server/src/testbeds/netns/new.ts: ../../routes/labs.ts',
  'server/src/config.ts: ../../web/src/theme.ts',
]

const allowed = [
  'shared/src/new.ts: zod',
  'shared/src/new.ts: ./units.ts',
  'shared/src/report/new.ts: ../measure/units.ts',
  'shared/src/testbed/new.ts: ../measure/units.ts',
  'shared/src/testbed/new.ts: ../measure/settings.ts',
  'shared/src/features/registry.ts: ./big-tcp/feature.ts',
  'shared/src/features/big-tcp/new.ts: ../feature.ts',
  'shared/src/features/new.ts: ../run/observation.ts',
  'shared/src/run/new.ts: ../features/registry.ts',
  'shared/src/run/new.ts: ../wire/errors.ts',
  'web/src/new.ts: @expresslane/shared/units',
  'web/src/new.tsx: react',
  'web/src/follow.tsx: ./follow/index.ts',
  'web/src/follow/new.tsx: react-dom/client',
  'web/src/walk/new.tsx: @mantine/core',
  'web/src/routes.tsx: ./pages/lab-page.tsx',
  'web/src/pages/new.tsx: ../walk/index.ts',
  'web/src/walk/action/new.ts: ../use-walk.ts',
  'web/src/walk/new.ts: @expresslane/shared/compare/compare',
  'web/src/walk/new.tsx: ../features/index.ts',
  'web/src/walk/new.ts: @expresslane/shared/features/registry',
  'web/src/features/registry.ts: ./big-tcp/index.ts',
  'web/src/features/path-panel.tsx: ./registry.ts',
  'web/src/features/big-tcp/new.ts: ../views.ts',
  'web/src/features/big-tcp/new.ts: @expresslane/shared/features/big-tcp/size',
  'web/src/features/big-tcp/packets/new.ts: ../path/layers.ts',
  'web/src/features/big-tcp/packets/new.ts: ../../views.ts',
  'e2e/tests/new.ts: @expresslane/shared/units',
  'e2e/tests/new.ts: node:fs',
  'e2e/tests/new.ts: ../support/app.ts',
  'server/src/tools/new.ts: @expresslane/shared/units',
  'server/src/tools/new.ts: ./key-values.ts',
  'server/src/tools/new.ts: ./iperf3/errors.ts',
  'server/src/tools/iperf3/new.ts: ./errors.ts',
  'server/src/tools/iperf3/new.ts: ../versions.ts',
  'server/src/tools/iperf3/new.ts: ../netperf/output.ts',
  'server/src/tools/new.ts: zod',
  'server/src/labs/new.ts: @expresslane/shared/lab',
  'server/src/labs/new.ts: ./parse.ts',
  'server/src/labs/new.ts: node:fs',
  'server/src/app.ts: ./routes/labs.ts',
  'server/src/deps.ts: ./testbeds/netns/testbed.ts',
  'server/src/routes/new.ts: ./reply.ts',
  'server/src/features/registry.ts: ./big-tcp/feature.ts',
  'server/src/features/big-tcp/new.ts: @expresslane/shared/features/big-tcp/settings',
  'server/src/testbeds/netns/new.ts: @expresslane/shared/features/big-tcp/settings',
  'server/src/features/big-tcp/new.ts: ../../benchmarks/stream.ts',
  'server/src/benchmarks/new.ts: ../testbeds/testbed.ts',
  'server/src/benchmarks/new.ts: ../tools/netperf.ts',
  'server/src/runs/new.ts: ../features/registry.ts',
  'server/src/routes/new.ts: ../runs/coordination/coordinator.ts',
  'server/src/routes/new.ts: fastify',
  'server/src/operations/new.ts: ../runs/log/run-log.ts',
  'server/src/operations/new.ts: prom-client',
  'server/src/routes/labs/new.ts: ../../access/policy.ts',
  'server/src/runs/new.ts: ../testbeds/testbed.ts',
  'server/src/routes/new.ts: ../replay/record.ts',
  'server/src/routes/new.ts: ../access/policy.ts',
  'server/src/replay/new.ts: ../runs/perform/performer.ts',
  'server/src/replay/new.ts: ../store/runs.ts',
  'server/src/access/new.ts: ../store/open.ts',
  'server/src/runs/new.ts: ../labs/bench.ts',
  'server/src/runs/new.ts: ../tools/netperf.ts',
  'server/src/testbeds/netns/new.ts: node:child_process',
  'server/src/testbeds/netns/new.ts: ../../tools/ip-link.ts',
  'server/src/testbeds/netns/new.ts: ../testbed.ts',
]

/** The public file of a room, seen from another room. */
const faceOf = (room: string): string => `../${room}/index.ts`

/** Every pair of folders in the page, as the table of rooms allows it or not. */
const betweenFolders = [
  ...Object.entries(rooms).flatMap(([from, may]) =>
    Object.keys(rooms)
      .filter((to) => to !== from)
      .map((to) => ({ line: `web/src/${from}/new.ts: ${faceOf(to)}`, allowed: may.includes(to) })),
  ),
  ...Object.entries(below).flatMap(([from, may]) => [
    ...Object.keys(rooms).map((to) => ({ line: `web/src/${from}/new.ts: ${faceOf(to)}`, allowed: false })),
    ...Object.keys(below)
      .filter((to) => to !== from)
      .map((to) => ({ line: `web/src/${from}/new.ts: ../${to}/new.ts`, allowed: may.includes(to) })),
  ]),
]

/** A checkout with only the lint rules and these files. */
function checkoutOf(files: ReadonlyMap<string, string>): string {
  const checkout = mkdtempSync(join(checkouts, 'checkout-'))
  for (const config of ['oxlint.config.ts', 'walls'])
    cpSync(inRoot(config), join(checkout, config), { recursive: true })
  for (const [file, text] of files) {
    mkdirSync(dirname(join(checkout, file)), { recursive: true })
    writeFileSync(join(checkout, file), text)
  }
  return checkout
}

function lint(checkout: string): string[] {
  const { stdout } = spawnSync(inRoot('node_modules', '.bin', 'oxlint'), ['--format=unix'], {
    cwd: checkout,
    encoding: 'utf8',
  })
  return stdout.split('\n')
}

/** Lints files with these imports under this project's rules. Returns the imports that the rules refuse. */
function refused(imports: readonly string[]): string[] {
  const files = new Map<string, string[]>()
  for (const line of imports) {
    const [file = '', specifier = ''] = line.split(': ')
    files.set(file, [...(files.get(file) ?? []), specifier])
  }
  const texts = [...files].map(
    ([file, specifiers]) => [file, specifiers.map((specifier) => `export * from '${specifier}'\n`).join('')] as const,
  )
  const found = lint(checkoutOf(new Map(texts))).flatMap((line) => {
    const match = /^([^:]+):(\d+):\d+: .*no-restricted-imports/.exec(line)
    const file = match?.[1] ?? ''
    const specifier = files.get(file)?.[Number(match?.[2]) - 1]
    return specifier === undefined ? [] : [`${file}: ${specifier}`]
  })
  return [...new Set(found)]
}

test('each import across a wall is refused', () => {
  expect(refused(forbidden).toSorted()).toEqual(forbidden.toSorted())
})

test('other imports are not', () => {
  expect(refused(allowed)).toEqual([])
})

test("the page's rooms import each other as their table says, and nothing below them imports a room", () => {
  const no = betweenFolders.filter((one) => !one.allowed).map(({ line }) => line)
  expect(refused(betweenFolders.map(({ line }) => line)).toSorted()).toEqual(no.toSorted())
})

test("shared's folders import each other in the order of their table", () => {
  const pairs = Object.entries(sharedOrder).flatMap(([from, may]) =>
    Object.keys(sharedOrder)
      .filter((to) => to !== from)
      .map((to) => ({ line: `shared/src/${from}/new.ts: ../${to}/new.ts`, allowed: may.includes(to) })),
  )
  const no = pairs.filter((one) => !one.allowed).map(({ line }) => line)
  expect(refused(pairs.map(({ line }) => line)).toSorted()).toEqual(no.toSorted())
})

test("the folders of routes import http's alone", () => {
  const pairs = routeFolders.flatMap((from) =>
    routeFolders
      .filter((to) => to !== from)
      .map((to) => ({ line: `server/src/routes/${from}/new.ts: ../${to}/new.ts`, allowed: to === 'http' })),
  )
  const no = pairs.filter((one) => !one.allowed).map(({ line }) => line)
  expect(refused(pairs.map(({ line }) => line)).toSorted()).toEqual(no.toSorted())
})

function foldersIn(...path: string[]): string[] {
  const entries = readdirSync(inRoot(...path), { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted()
}

test('every folder is in the tables', () => {
  expect(foldersIn('web', 'src')).toEqual([...Object.keys(rooms), ...Object.keys(below), 'pages'].toSorted())
  expect(foldersIn('server', 'src', 'routes')).toEqual([...routeFolders].toSorted())
  expect(foldersIn('shared', 'src')).toEqual(Object.keys(sharedOrder).toSorted())
})

test('a cycle is refused, one of types too', () => {
  const files = new Map([
    ['shared/src/one.ts', "import type { Two } from './two.ts'\nexport type One = Two | null\n"],
    ['shared/src/two.ts', "import type { One } from './one.ts'\nexport type Two = One[]\n"],
  ])
  expect(lint(checkoutOf(files)).filter((line) => line.includes('no-cycle'))).toHaveLength(2)
})
