/** The walls of what server and page share. */
import { featureBeside, insideFeatures, oneFeature, type Pattern, type Wall } from './wall.ts'

/**
 * The folders of `shared` that each of them may import, in an order without a cycle. `FOLDER/FILE` allows that one
 * module. Registries and codes of errors ({@link everywhere}) are below all of them.
 */
export const sharedOrder: Readonly<Record<string, readonly string[]>> = {
  base: [],
  testbed: ['measure/units', 'measure/settings'],
  measure: ['testbed'],
  tools: ['measure', 'testbed'],
  features: ['measure', 'testbed', 'tools', 'run/observation'],
  compare: ['measure', 'testbed', 'features'],
  labs: ['measure', 'testbed', 'features'],
  run: ['measure', 'testbed', 'features', 'compare', 'labs'],
  recordings: ['measure', 'testbed', 'features', 'compare', 'labs', 'run'],
  wire: ['measure', 'testbed', 'features', 'compare', 'labs', 'run'],
  present: ['measure', 'testbed', 'features', 'compare', 'labs', 'run', 'wire'],
  charts: ['measure', 'testbed', 'features', 'compare', 'labs', 'run'],
  report: ['measure', 'testbed', 'features', 'compare', 'labs', 'run', 'wire', 'charts'],
}
const everywhere = ['base', 'wire/errors']

/** Any text but these, and what begins with one of them. */
function notThese(texts: readonly string[]): string {
  const letters = [...new Set(texts.map((text) => text.charAt(0)))]
  const longer = letters.flatMap((letter) => {
    const rest = texts.filter((text) => text.startsWith(letter)).map((text) => text.slice(1))
    return rest.includes('') ? [] : [`${letter}${notThese(rest)}`]
  })
  return `(${[`[^${letters.join('')}]`, ...longer].join('|')})`
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
/** The imports that a folder of `shared` must not have, features apart. */
function ofFolder(folder: string): Pattern[] {
  const allowed = [...(sharedOrder[folder] ?? []), ...everywhere]
  const forbidden = Object.keys(sharedOrder).flatMap((other) => {
    if (other === folder || allowed.includes(other)) return []
    const inside = allowed.filter((path) => path.startsWith(`${other}/`))
    const files = inside.map((path) => `${path.slice(other.length + 1)}.`)
    return files.length === 0 ? [`${other}/`] : [`${other}/${notThese(files)}`]
  })
  return [
    folder === 'charts' ? zodAndScales : onlyZod,
    {
      regex: `^(\\.\\./)+(${forbidden.join('|')})`,
      message: `In shared, ${folder} imports ${allowed.join(', ')} (walls/shared.ts).`,
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
