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
const oneFeature: Pattern = {
  regex: '(^|\\./|\\.\\./)features/[^/]+/',
  message: 'Only the registries name one feature; the others ask them by id.',
}
const http: Pattern = { regex: '^fastify|^@fastify/', message: 'HTTP ends in routes.' }

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
    forbidden: [onlySharedAndServer, { ...concreteTestbed, regex: '/(netns|kubernetes)(/|\\.ts$)' }],
  },
  {
    files: ['server/src/deps.ts', 'server/src/testbeds/factory.ts'],
    forbidden: [onlySharedAndServer, onlyAppImportsRoutes],
  },
  {
    files: ['server/src/routes/**'],
    forbidden: [
      onlySharedAndServer,
      concreteTestbed,
      { regex: '(^|/)tools/', message: 'A route starts runs and reads the store; it runs no tools.' },
      { regex: '/app\\.ts$|/main\\.ts$', message: 'main imports app, app imports routes, never the other way.' },
    ],
  },
  {
    files: ['server/src/runs/**', 'server/src/store/**'],
    forbidden: [
      onlySharedAndServer,
      { regex: '(^|/)routes/|/app\\.ts$|/main\\.ts$', message: 'routes import runs, never the other way.' },
      oneFeature,
      {
        regex: '(^|/)(replay|access|classroom)/',
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
      {
        regex: '(^|/)(routes|runs|features|store|labs|headless|replay|access)/|/(app|main|deps)\\.ts$',
        message: 'A benchmark runs tools on a testbed, and does not know who asks for it.',
      },
      concreteTestbed,
      http,
    ],
  },
  {
    files: ['server/src/features/**'],
    forbidden: [
      onlySharedAndServer,
      {
        regex: '(^|/)(routes|runs|store|labs|headless|replay|access)/|/(app|main|deps)\\.ts$',
        message: 'runs import features, never the other way.',
      },
      concreteTestbed,
      http,
    ],
  },
  {
    files: ['server/src/replay/**'],
    forbidden: [
      onlySharedAndServer,
      onlyAppImportsRoutes,
      { regex: '(^|/)(testbeds|tools|access)/|^node:child_process$', message: 'A replay runs and switches nothing.' },
      http,
    ],
  },
  {
    files: ['server/src/access/**'],
    forbidden: [
      onlySharedAndServer,
      {
        regex: '(^|/)(routes|runs|replay|testbeds|tools)/',
        message: 'access imports only the store and the configuration.',
      },
      http,
    ],
  },
  {
    files: ['server/src/classroom/**'],
    forbidden: [
      onlySharedAndServer,
      {
        regex: '(^|/)(routes|tools|labs|headless|replay)/|/(app|main|deps)\\.ts$',
        message: 'The classroom reads the store and the runs, and asks the coordinator; routes import it.',
      },
      oneFeature,
      concreteTestbed,
      http,
    ],
  },
  {
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
      {
        group: ['../**'],
        message: 'Labs are content and its parser: they import no other part of the server.',
      },
    ],
  },
  {
    files: ['server/src/tools/**'],
    forbidden: [
      {
        group: ['*', '!./**', '!zod', '!@expresslane/', '!@expresslane/shared/', '!@expresslane/shared/**'],
        message: 'Tools build argv and parse lines: they import shared and do no I/O.',
      },
    ],
  },
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
  regex: `^\\.{1,2}/(\\.\\./)*(${Object.keys(rooms)
    .map((room) => (room === 'features' ? 'features/[^/]+' : room))
    .join('|')})/${notIndex}`,
  message: "What is inside a room is its own business: import the room's index.ts.",
}

function folders(names: readonly string[], message: string): Pattern {
  return { regex: `^\\.{1,2}/(\\.\\./)*(${names.join('|')})/`, message }
}

const webWalls: readonly Wall[] = [
  { files: ['web/src/**'], forbidden: [notTheServer, noInside] },
  ...Object.entries(below).map(([folder, may]): Wall => {
    const no = [...Object.keys(rooms), ...Object.keys(below)].filter((name) => name !== folder && !may.includes(name))
    return {
      files: [`web/src/${folder}/**`],
      forbidden: [
        notTheServer,
        noPages,
        folders(no, `${folder} knows no room, and of the folders below the rooms: ${may.join(', ') || 'none'}.`),
      ],
    }
  }),
  ...Object.entries(rooms).map(([room, may]): Wall => {
    const no = Object.keys(rooms).filter((name) => name !== room && !may.includes(name))
    return {
      files: [`web/src/${room}/**`],
      forbidden: [
        notTheServer,
        noPages,
        noInside,
        folders(no, `Of the other rooms, ${room} imports ${may.join(', ') || 'none'} (oxlint.walls.ts).`),
      ],
    }
  }),
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
const noOneFeature: Pattern = {
  regex: '/features/[^/]+/',
  message: 'Only the registry of features knows one of them; ask it by id.',
}

const sharedWalls: readonly Wall[] = [
  { files: ['shared/src/**'], forbidden: [onlyZod, noOneFeature] },
  ...Object.entries(sharedOrder).map(([folder, may]): Wall => {
    const allowed = [...may, ...everywhere]
    const forbidden = Object.keys(sharedOrder).flatMap((other) => {
      if (other === folder || allowed.includes(other)) return []
      const inside = allowed.filter((path) => path.startsWith(`${other}/`))
      const files = inside.map((path) => `${path.slice(other.length + 1)}.`)
      return files.length === 0 ? [`${other}/`] : [`${other}/${notThese(files)}`]
    })
    return {
      files: [`shared/src/${folder}/**`],
      forbidden: [
        onlyZod,
        noOneFeature,
        {
          regex: `^(\\.\\./)+(${forbidden.join('|')})`,
          message: `In shared, ${folder} imports ${allowed.join(', ')} (oxlint.walls.ts).`,
        },
      ],
    }
  }),
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
