/** The walls of the page: its rooms, and the folders below them. */
import { featureBeside, insideFeatures, oneFeature, type Pattern, type Wall } from './wall.ts'

/** The page's rooms, and which other rooms each may import. An order without a cycle: a room comes after what it uses. */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  features: [],
  exhibits: [],
  recordings: [],
  compare: ['features'],
  catalogue: ['recordings'],
  history: ['recordings'],
  experiment: ['compare', 'features'],
  result: ['compare', 'exhibits', 'experiment', 'features'],
  walk: ['experiment', 'features', 'recordings', 'result'],
  bench: ['experiment', 'result'],
  classroom: [],
  present: ['compare', 'exhibits', 'experiment', 'features', 'recordings', 'result', 'walk'],
  follow: ['compare', 'exhibits', 'experiment', 'features', 'result'],
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
    folders(no, `Of the other rooms, ${room} imports ${may.join(', ') || 'none'} (walls/web.ts).`),
  ]
}

export const webWalls: readonly Wall[] = [
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
