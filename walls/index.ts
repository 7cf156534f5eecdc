/**
 * The import rules: which module can import which. `server.ts`, `web.ts` and `shared.ts` have those of their package;
 * scripts/test/import-rules.test.ts shows that each rule works.
 */
import { serverWalls } from './server.ts'
import { sharedWalls } from './shared.ts'
import type { Wall } from './wall.ts'
import { webWalls } from './web.ts'

const walls: readonly Wall[] = [
  ...sharedWalls,
  {
    files: ['e2e/**', 'bench/**'],
    forbidden: [
      {
        regex: '^@expresslane/(server|web|e2e|bench)|(^|/)(server|web|shared|e2e|bench)/(src|test)/',
        message: 'e2e and bench drive the running app from outside and import shared alone.',
      },
    ],
  },
  ...serverWalls,
  ...webWalls,
]

/** The walls as oxlint's overrides. */
export const wallOverrides = walls.map(({ files, forbidden }) => ({
  files: [...files],
  rules: { 'no-restricted-imports': ['error', { patterns: forbidden }] },
}))
