/** The walls of the server. */
import { featureBeside, insideFeatures, oneFeature, type Pattern, type Wall } from './wall.ts'

const onlySharedAndServer: Pattern = {
  regex: '^@expresslane/(web|e2e|bench|server|shared/test/)|(^|/)(web|shared|e2e|bench)/(src|test)/',
  message: "The server imports shared, by its package's name, and itself.",
}
const onlyAppImportsRoutes: Pattern = { regex: '(^|/)routes/', message: 'Only app.ts imports routes.' }
/** The folders of testbeds: none of them knows another, and only the factory puts them together. */
const testbed = 'netns|counted|kubernetes'
const concreteTestbed: Pattern = {
  regex: `/(${testbed})(/|\\.ts$)|^node:child_process$`,
  message: 'Only the factory names a concrete testbed; commands run through testbeds/testbed.ts.',
}
const testbedUsers: Pattern = {
  regex: '(^|/)(routes|runs|store|labs|headless|replay|access)/|/(app|main|deps)\\.ts$',
  message: 'A testbed imports tools and shared, not its users.',
}
const noFeature: Pattern = {
  regex: '(^|/)(features|labs)/',
  message: 'A testbed knows primitives: features say what they need of them, and own their settings and sentences.',
}
const http: Pattern = { regex: '^fastify|^@fastify/', message: 'HTTP ends in routes.' }

/** @param own the modules of the folder, as patterns of .gitignore */
function toolsWall(files: string, own: readonly string[]): Wall {
  const message = 'Tools build argv and parse lines: they import shared and do no I/O.'
  const group = ['*', ...own, '!zod', '!@expresslane/', '!@expresslane/shared/', '!@expresslane/shared/**']
  return { files: [files], forbidden: [oneFeature, { group, message }] }
}

/** A tool's runner (`tools/NAME/run-*.ts`), and what runners have in common. */
const runnerWall: readonly Pattern[] = [
  onlySharedAndServer,
  oneFeature,
  {
    regex: '(^|/)(routes|runs|features|store|labs|headless|replay|access)/|/(app|main|deps)\\.ts$',
    message: 'A benchmark runs tools on a testbed, and does not know who asks for it.',
  },
  concreteTestbed,
  http,
]

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
export const serverWalls: readonly Wall[] = [
  {
    files: ['server/src/**'],
    forbidden: [
      onlySharedAndServer,
      onlyAppImportsRoutes,
      oneFeature,
      { ...concreteTestbed, regex: `/(${testbed})(/|\\.ts$)` },
    ],
  },
  {
    files: ['server/src/app.ts'],
    forbidden: [onlySharedAndServer, oneFeature, { ...concreteTestbed, regex: `/(${testbed})(/|\\.ts$)` }],
  },
  {
    files: ['server/src/deps.ts'],
    forbidden: [onlySharedAndServer, onlyAppImportsRoutes, oneFeature],
  },
  {
    files: ['server/src/testbeds/*.ts'],
    forbidden: [
      onlySharedAndServer,
      testbedUsers,
      noFeature,
      { ...concreteTestbed, regex: `/(${testbed})(/|\\.ts$)` },
      http,
    ],
  },
  { files: ['server/src/testbeds/factory.ts'], forbidden: [onlySharedAndServer, testbedUsers, noFeature, http] },
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
    forbidden: runnerWall,
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
    files: ['server/src/reports/**'],
    forbidden: [
      onlySharedAndServer,
      oneFeature,
      {
        regex: '(^|/)(routes|access|testbeds|tools)/',
        message: 'A report is made of the store, for whom routes decide.',
      },
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
    files: ['netns', 'counted', 'kubernetes'].map((folder) => `server/src/testbeds/${folder}/**`),
    forbidden: [
      onlySharedAndServer,
      testbedUsers,
      noFeature,
      { regex: `\\.\\./(${testbed})/`, message: 'A testbed imports no other testbed.' },
      http,
    ],
  },
  {
    files: ['server/src/testbeds/machine/**'],
    forbidden: [
      onlySharedAndServer,
      testbedUsers,
      noFeature,
      { regex: `/(${testbed})/`, message: 'A machine knows nothing of the testbeds that run on it.' },
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
  { files: ['server/src/tools/registry.ts', 'server/src/tools/*/run-*.ts'], forbidden: runnerWall },
]
