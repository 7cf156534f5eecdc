/** The import rules: which module can import which. scripts/test/import-rules.test.ts shows that each rule works. */

/** One pattern of oxlint's `no-restricted-imports`. The regular expressions know no look-ahead; groups match like .gitignore. */
interface Pattern {
  readonly regex?: string
  readonly group?: readonly string[]
  readonly message: string
}

/** What some files must not import. A later wall replaces an earlier one for the same file, so each lists everything. */
interface Wall {
  readonly files: readonly string[]
  readonly forbidden: readonly Pattern[]
}

const onlySharedAndServer: Pattern = {
  regex: '^@expresslane/(web|e2e|bench|server|shared/test/)|(^|/)(web|shared|e2e|bench)/(src|test)/',
  message: "The server imports shared, by its package's name, and itself.",
}
const onlyAppImportsRoutes: Pattern = { regex: '(^|/)routes/', message: 'Only app.ts imports routes.' }
const concreteTestbed: Pattern = {
  regex: '/(netns|kubernetes)(/|\\.ts$)|^node:child_process$',
  message: 'Only the factory names a concrete testbed; commands run through testbeds/testbed.ts.',
}
const aFeatureMessage = 'Only the registries name one feature; other code asks them by id.'
/** A module of one feature, in this package or in shared. */
const oneFeature: Pattern = { regex: '(^|\\./|/)features/[^/]+/', message: aFeatureMessage }
/** The same as seen from beside the registry. */
const featureBeside: Pattern = { regex: '^\\./[^/]+/|/features/[^/]+/', message: aFeatureMessage }

/** The files of a feature: `own`, and no module of another feature. */
function insideFeatures(folder: string, own: readonly Pattern[]): Wall[] {
  const message = 'A feature imports no other feature.'
  return [
    { files: [`${folder}/*/*`], forbidden: [...own, { regex: '^\\.\\./[^./][^/]*/', message }] },
    { files: [`${folder}/*/*/**`], forbidden: [...own, { regex: '^\\.\\./\\.\\./[^./][^/]*/', message }] },
  ]
}

const http: Pattern = { regex: '^fastify|^@fastify/', message: 'HTTP ends in routes.' }

/** @param own the modules of the folder, as patterns of .gitignore */
function toolsWall(files: string, own: readonly string[]): Wall {
  const message = 'Tools build argv and parse lines: they import shared and do no I/O.'
  const group = ['*', ...own, '!zod', '!@expresslane/', '!@expresslane/shared/', '!@expresslane/shared/**']
  return { files: [files], forbidden: [oneFeature, { group, message }] }
}

const belowRuns: readonly Pattern[] = [
  onlySharedAndServer,
  {
    regex: '(^|/)(routes|runs|store|labs|headless|replay|access)/|/(app|main|deps)\\.ts$',
    message: 'runs import features, never the other way.',
  },
  concreteTestbed,
  http,
]

const belowRoutes: readonly Pattern[] = [
  onlySharedAndServer,
  oneFeature,
  concreteTestbed,
  { regex: '(^|/)tools/', message: 'A route starts runs and reads the store; it runs no tools.' },
  { regex: '/app\\.ts$|/main\\.ts$', message: 'main imports app, app imports routes, never the other way.' },
]
/** The folders of routes. `http` is what every route needs, and imports none of them. */
export const routeFolders: readonly string[] = ['http', 'access', 'labs', 'room', 'operations']

/** A later entry takes precedence. */
const serverWalls: readonly Wall[] = [
  {
    files: ['server/src/**'],
    forbidden: [
      onlySharedAndServer,
      onlyAppImportsRoutes,
      oneFeature,
      { ...concreteTestbed, regex: '/(netns|kubernetes)(/|\\.ts$)' },
    ],
  },
  {
    files: ['server/src/app.ts'],
    forbidden: [onlySharedAndServer, oneFeature, { ...concreteTestbed, regex: '/(netns|kubernetes)(/|\\.ts$)' }],
  },
  {
    files: ['server/src/deps.ts', 'server/src/testbeds/factory.ts'],
    forbidden: [onlySharedAndServer, onlyAppImportsRoutes, oneFeature],
  },
  { files: ['server/src/routes/**'], forbidden: belowRoutes },
  ...routeFolders.map((folder): Wall => {
    const others = routeFolders.filter((other) => other !== folder && other !== 'http')
    return {
      files: [`server/src/routes/${folder}/**`],
      forbidden: [
        ...belowRoutes,
        {
          regex: `^\\.\\./(${others.join('/|')}/|[^/]*\\.ts$)`,
          message: 'Of the other routes, a route imports http alone.',
        },
      ],
    }
  }),
  {
    files: ['server/src/runs/**', 'server/src/store/**'],
    forbidden: [
      onlySharedAndServer,
      { regex: '(^|/)routes/|/app\\.ts$|/main\\.ts$', message: 'routes import runs, never the other way.' },
      oneFeature,
      {
        regex: '(^|/)(replay|access|classroom|present|operations)/',
        message: 'deps.ts hands in performers; who asks is settled in routes.',
      },
      concreteTestbed,
      http,
    ],
  },
  {
    files: ['server/src/benchmarks/**'],
    forbidden: [
      onlySharedAndServer,
      oneFeature,
      {
        regex: '(^|/)(routes|runs|features|store|labs|headless|replay|access)/|/(app|main|deps)\\.ts$',
        message: 'A benchmark runs tools on a testbed, and does not know who asks for it.',
      },
      concreteTestbed,
      http,
    ],
  },
  { files: ['server/src/features/*.ts'], forbidden: [...belowRuns, featureBeside] },
  ...insideFeatures('server/src/features', belowRuns),
  { files: ['server/src/features/registry.ts'], forbidden: belowRuns },
  {
    files: ['server/src/replay/**'],
    forbidden: [
      onlySharedAndServer,
      oneFeature,
      onlyAppImportsRoutes,
      { regex: '(^|/)(testbeds|tools|access)/|^node:child_process$', message: 'A replay runs and switches nothing.' },
      http,
    ],
  },
  {
    files: ['server/src/workers/**'],
    forbidden: [
      onlySharedAndServer,
      oneFeature,
      { regex: '^\\.\\./', message: 'It runs any module in a worker thread, and knows none.' },
      http,
    ],
  },
  {
    files: ['server/src/access/**'],
    forbidden: [
      onlySharedAndServer,
      oneFeature,
      {
        regex: '(^|/)(routes|runs|replay|testbeds|tools)/',
        message: 'access imports only the store and the configuration.',
      },
      http,
    ],
  },
  {
    files: ['server/src/operations/**'],
    forbidden: [
      onlySharedAndServer,
      {
        regex: '\\.\\./(routes|tools|labs|headless|replay|testbeds|features)/|/(app|main|deps)\\.ts$',
        message: 'Operations reads the store, the runs and the streams; routes import it, and it changes nothing.',
      },
      oneFeature,
      concreteTestbed,
      http,
    ],
  },
  {
    files: ['server/src/classroom/**'],
    forbidden: [
      onlySharedAndServer,
      {
        regex: '^\\.\\./(routes|tools|labs|headless|replay)/|/(app|main|deps)\\.ts$',
        message: 'The classroom reads the store and the runs, and asks the coordinator; routes import it.',
      },
      oneFeature,
      concreteTestbed,
      http,
    ],
  },
  {
    files: ['server/src/present/**'],
    forbidden: [
      onlySharedAndServer,
      {
        regex: '\\.\\./(routes|tools|labs|headless|replay|access)/|/(app|main|deps)\\.ts$',
        message: 'A talk reads the store and the runs, and asks the coordinator; routes import it.',
      },
      oneFeature,
      concreteTestbed,
      http,
    ],
  },
  {
    // A testbed sets and reads the kernel's attributes behind a feature's settings, so it can name the feature.
    files: ['server/src/testbeds/netns/**', 'server/src/testbeds/kubernetes/**'],
    forbidden: [
      onlySharedAndServer,
      {
        regex: '(^|/)(routes|runs|store|labs|headless|replay|access)/|/(app|main|deps)\\.ts$',
        message: 'A testbed imports tools and shared, not its users.',
      },
      { regex: '\\.\\./(netns|kubernetes)/', message: 'A testbed imports no other testbed.' },
      http,
    ],
  },
  {
    files: ['server/src/labs/**'],
    forbidden: [
      oneFeature,
      {
        group: ['../**'],
        message: 'Labs are content and its parser: they import no other part of the server.',
      },
    ],
  },
  toolsWall('server/src/tools/*', ['!./**']),
  toolsWall('server/src/tools/*/**', ['!./**', '!../**', '../../**']),
]

/** The page's rooms, and which other rooms each may import. An order without a cycle: a room comes after what it uses. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  features: [],
  recordings: [],
  compare: ['features'],
  catalogue: ['recordings'],
  history: ['recordings'],
  experiment: ['compare'],
  result: ['compare', 'experiment', 'features'],
  walk: ['experiment', 'features', 'recordings', 'result'],
  bench: ['experiment', 'result'],
  classroom: [],
  present: ['compare', 'experiment', 'features', 'recordings', 'result', 'walk'],
  follow: ['compare', 'experiment', 'features', 'result'],
}

/** The page's folders below the rooms, and which of each other they may import. */
export const below: Readonly<Record<string, readonly string[]>> = {
  words: [],
  api: ['words'],
  components: ['words', 'api'],
  charts: ['words', 'api', 'components'],
}

const notTheServer: Pattern = {
  regex: '^node:|^@expresslane/(server|e2e|bench|shared/test/)|(^|/)(server|shared|e2e|bench)/src/',
  message: 'The page imports shared, by its package name, and never the server or Node.',
}
const noPages: Pattern = {
  regex: '^\\.{1,2}/(\\.\\./)*(pages/|(routes|app)\\.tsx$)',
  message: 'Only routes.tsx imports pages.',
}
/** What is not `index.ts`, spelled out. */
const notIndex = '([^i]|i[^n]|in[^d]|ind[^e]|inde[^x]|index[^.])'
const noInside: Pattern = {
  regex: `^\\.{1,2}/(\\.\\./)*(${Object.keys(rooms).join('|')})/${notIndex}`,
  message: "What is inside a room is its own business: import the room's index.ts.",
}

function folders(names: readonly string[], message: string): Pattern {
  return { regex: `^\\.{1,2}/(\\.\\./)*(${names.join('|')})/`, message }
}

const heavy: Pattern = {
  regex: '^(@mantine|@tanstack|recharts|react-router)(/|$)',
  message: 'The page of followers opens on phones: it loads none of these. vite.config.ts checks what it is built of.',
}

/** What a room must not import, features apart. */
function ofRoom(room: string): Pattern[] {
  const may = rooms[room] ?? []
  const no = Object.keys(rooms).filter((name) => name !== room && !may.includes(name))
  return [
    notTheServer,
    noPages,
    noInside,
    folders(no, `Of the other rooms, ${room} imports ${may.join(', ') || 'none'} (oxlint.walls.ts).`),
  ]
}

const webWalls: readonly Wall[] = [
  { files: ['web/src/**'], forbidden: [notTheServer, noInside, oneFeature] },
  ...Object.entries(below).map(([folder, may]): Wall => {
    const no = [...Object.keys(rooms), ...Object.keys(below)].filter((name) => name !== folder && !may.includes(name))
    return {
      files: [`web/src/${folder}/**`],
      forbidden: [
        notTheServer,
        noPages,
        oneFeature,
        folders(no, `${folder} knows no room, and of the folders below the rooms: ${may.join(', ') || 'none'}.`),
      ],
    }
  }),
  ...Object.keys(rooms).map((room): Wall => ({
    files: [`web/src/${room}/**`],
    forbidden: [...ofRoom(room), oneFeature],
  })),
  { files: ['web/src/follow/**'], forbidden: [...ofRoom('follow'), oneFeature, heavy] },
  { files: ['web/src/follow.tsx'], forbidden: [notTheServer, noInside, oneFeature, noPages, heavy] },
  { files: ['web/src/features/*'], forbidden: [...ofRoom('features'), featureBeside] },
  ...insideFeatures('web/src/features', ofRoom('features')),
  { files: ['web/src/features/registry.ts'], forbidden: ofRoom('features') },
]

/**
 * What each folder of `shared` may import of the others, in an order without a cycle. `FOLDER/FILE` allows that one
 * module. Codes of errors ({@link everywhere}) are below all of them.
 */
export const sharedOrder: Readonly<Record<string, readonly string[]>> = {
  testbed: ['measure/units', 'measure/settings'],
  measure: ['testbed'],
  features: ['measure', 'testbed', 'run/observation'],
  compare: ['measure', 'testbed', 'features'],
  labs: ['measure', 'testbed', 'features'],
  run: ['measure', 'testbed', 'features', 'compare', 'labs'],
  recordings: ['measure', 'testbed', 'features', 'compare', 'labs', 'run'],
  wire: ['measure', 'testbed', 'features', 'compare', 'labs', 'run'],
  present: ['measure', 'testbed', 'features', 'compare', 'labs', 'run', 'wire'],
  report: ['measure', 'testbed', 'features', 'compare', 'labs', 'run', 'wire'],
}
const everywhere = ['wire/errors']

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
/** What a folder of `shared` must not import, features apart. */
function ofFolder(folder: string): Pattern[] {
  const allowed = [...(sharedOrder[folder] ?? []), ...everywhere]
  const forbidden = Object.keys(sharedOrder).flatMap((other) => {
    if (other === folder || allowed.includes(other)) return []
    const inside = allowed.filter((path) => path.startsWith(`${other}/`))
    const files = inside.map((path) => `${path.slice(other.length + 1)}.`)
    return files.length === 0 ? [`${other}/`] : [`${other}/${notThese(files)}`]
  })
  return [
    onlyZod,
    {
      regex: `^(\\.\\./)+(${forbidden.join('|')})`,
      message: `In shared, ${folder} imports ${allowed.join(', ')} (oxlint.walls.ts).`,
    },
  ]
}

const sharedWalls: readonly Wall[] = [
  { files: ['shared/src/**'], forbidden: [onlyZod, oneFeature] },
  ...Object.keys(sharedOrder).map((folder): Wall => ({
    files: [`shared/src/${folder}/**`],
    forbidden: [...ofFolder(folder), oneFeature],
  })),
  { files: ['shared/src/features/*.ts'], forbidden: [...ofFolder('features'), featureBeside] },
  ...insideFeatures('shared/src/features', ofFolder('features')),
  { files: ['shared/src/features/registry.ts'], forbidden: ofFolder('features') },
]

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
