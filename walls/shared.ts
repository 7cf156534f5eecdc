/** The walls of what server and page share. */
import { featureBeside, insideFeatures, oneFeature, type Pattern, type Wall } from './wall.ts'

/** Which folders of `shared` each of them may import, in an order without a cycle. */
export const sharedOrder: Readonly<Record<string, readonly string[]>> = {
  base: [],
  testbed: ['base'],
  measure: ['base', 'testbed'],
  tools: ['base', 'measure', 'testbed'],
  features: ['base', 'measure', 'testbed', 'tools'],
  compare: ['base', 'measure', 'testbed', 'features'],
  labs: ['base', 'measure', 'testbed', 'features'],
  run: ['base', 'measure', 'testbed', 'features', 'compare', 'labs'],
  recordings: ['base', 'measure', 'testbed', 'features', 'compare', 'labs', 'run'],
  wire: ['base', 'measure', 'testbed', 'features', 'compare', 'labs', 'run'],
  present: ['base', 'measure', 'testbed', 'features', 'compare', 'labs', 'run', 'wire'],
  charts: ['base', 'measure', 'testbed', 'features', 'compare', 'labs', 'run'],
  report: ['base', 'measure', 'testbed', 'features', 'compare', 'labs', 'run', 'wire', 'charts'],
}

const onlyZod: Pattern = {
  // Not relative, and not zod.
  regex: '^([^.z]|z[^o]|zo[^d]|zod.)|(^|/)(server|web|e2e|bench)/(src|test|support)/',
  message: 'shared imports zod and itself, nothing else.',
}
/** Charts have d3's scales besides. */
const zodAndScales: Pattern = {
  regex: '^([^.zd]|z[^o]|zo[^d]|zod.|d[^3]|d3[^-]|d3-[^s])|(^|/)(server|web|e2e|bench)/(src|test|support)/',
  message: 'charts imports d3-scale, zod and shared itself, nothing else.',
}
/** The imports that a folder of `shared` forbids, features apart. */
function ofFolder(folder: string): Pattern[] {
  const allowed = sharedOrder[folder] ?? []
  const forbidden = Object.keys(sharedOrder).filter((other) => other !== folder && !allowed.includes(other))
  return [
    folder === 'charts' ? zodAndScales : onlyZod,
    {
      regex: `^(\\.\\./)+(${forbidden.join('|')})/`,
      message: `In shared, ${folder} imports ${allowed.join(', ') || 'none'} (walls/shared.ts).`,
    },
  ]
}

export const sharedWalls: readonly Wall[] = [
  { files: ['shared/src/**'], forbidden: [onlyZod, oneFeature] },
  ...Object.keys(sharedOrder).map((folder): Wall => ({
    files: [`shared/src/${folder}/**`],
    forbidden: [...ofFolder(folder), oneFeature],
  })),
  { files: ['shared/src/features/*.ts'], forbidden: [...ofFolder('features'), featureBeside] },
  ...insideFeatures('shared/src/features', ofFolder('features')),
  { files: ['shared/src/features/{registry,abouts}.ts'], forbidden: ofFolder('features') },
]
