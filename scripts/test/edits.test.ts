/**
 * Counts the existing files that a new part edits: the files that name a part like it, and are not that part's own. The
 * bounds are in docs/architecture.md. The tests' own feature, tool, metric and setting of Cilium show that these edits
 * are enough (`server/test/features/own`, `server/test/tools/own-tool.test.ts`).
 */
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const sources = globSync('{shared,server,web}/src/**/*.{ts,tsx}', { cwd: root }).map((file) => ({
  file,
  imports: [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(
    ([, of = '']) => of,
  ),
}))

/** The files that import one of these modules, without the part's own. */
function editedBy(own: RegExp, imported: RegExp): string[] {
  return sources
    .filter(({ file, imports }) => !own.test(file) && imports.some((one) => imported.test(one)))
    .map(({ file }) => file)
    .toSorted()
}

const features = readdirSync(join(root, 'shared/src/features'), { withFileTypes: true })
  .filter((one) => one.isDirectory())
  .map(({ name }) => name)
const ofFeature = [
  'server/src/features/registry.ts',
  'shared/src/features/abouts.ts',
  'shared/src/features/registry.ts',
]

test.each(features)(
  'the feature %s is in three existing files, and in a fourth only with views besides its path',
  (id) => {
    const edited = editedBy(new RegExp(`/features/${id}/`), new RegExp(`features/${id}/|^\\./${id}/`))
    expect(edited.filter((file) => file !== 'web/src/features/registry.ts')).toEqual(ofFeature)
  },
)

const ofTool = ['server/src/tools/registry.ts', 'shared/src/tools/registry.ts']

test.each([
  ['netperf/tcp-rr', 'netperf/run-netperf'],
  ['netperf/tcp-stream', 'netperf/run-netperf'],
  ['iperf3/iperf3', 'iperf3/run-iperf3'],
])('the tool %s is in the two registries; other files than those only prefer it', (tool, runner) => {
  const edited = editedBy(/\/src\/tools\/(?!registry)/, new RegExp(`(tools|\\.)/(${tool}|${runner})(\\.ts)?$`))
  // A feature that proves, presets or publishes something by a tool names that tool; the Bench has a field for sizes of requests.
  const preferring = /\/src\/features\/[^/]+\/|web\/src\/bench\/form\/choice\.ts/
  expect(edited.filter((file) => !preferring.test(file))).toEqual(ofTool)
})

test('a page is in the routes; the navigation and the walls of its room are the other two', () => {
  for (const page of readdirSync(join(root, 'web/src/pages')).filter((file) => file.endsWith('-page.tsx'))) {
    // The static viewer chooses some of the pages: site.tsx.
    const edited = editedBy(/\/pages\//, new RegExp(`pages/${page}$`))
    expect(edited.filter((file) => file !== 'web/src/site.tsx')).toEqual(['web/src/routes.tsx'])
  }
})

test('a chart is in no list: the report and the room of the page that draw it are the two', () => {
  expect(editedBy(/\/charts\//, /charts\/room-chart(\.ts)?$/)).toEqual([
    'shared/src/report/room/html.ts',
    'web/src/classroom/results/results-plot.tsx',
  ])
})
