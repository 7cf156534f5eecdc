import { expect, test } from 'vitest'
import { parseDeb822, parseOneLine, sourcesOf } from '../tools/sources.mjs'

const deb822 = `# The system's own
Types: deb
# URIs: http://snapshot.example.org/archive
URIs: http://mirror.example.org/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb deb-src
URIs: http://mirror.example.org/debian-security
Suites: bookworm-security
Components: main

Enabled: no
Types: deb
URIs: http://elsewhere.example.org/debian
Suites: bookworm
Components: main non-free
`

test('deb822: a source for each suite, comments and disabled stanzas left out', () => {
  expect(parseDeb822(deb822).map(({ uri, suite }) => `${uri} ${suite}`)).toEqual([
    'http://mirror.example.org/debian bookworm',
    'http://mirror.example.org/debian bookworm-updates',
    'http://mirror.example.org/debian-security bookworm-security',
  ])
})

test('suites of another release come from the mirror and under the key of the system', () => {
  expect(sourcesOf(parseDeb822(deb822), 'bookworm', ['trixie', 'trixie-updates'])).toEqual({
    uri: 'http://mirror.example.org/debian/',
    text: [
      'Types: deb',
      'URIs: http://mirror.example.org/debian',
      'Suites: trixie trixie-updates',
      'Components: main',
      'Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg',
      '',
    ].join('\n'),
  })
})

test.each([
  ['deb cdrom:[Debian]/ bookworm main\n', null],
  ['deb http://packages.example.org/tool stable-tool main\n', null],
  ['deb http://mirror.example.org/debian/ sid main\n', 'http://mirror.example.org/debian/'],
])('%s is the own mirror: %s', (line, uri) => {
  expect(sourcesOf(parseOneLine(line), 'bookworm', ['trixie', 'trixie-updates'])?.uri ?? null).toBe(uri)
})

test('a key that stands in the sources file itself is copied whole', () => {
  const text = `Types: deb
URIs: http://mirror.example.org/debian
Suites: trixie
Components: main
Signed-By:
 -----BEGIN PGP PUBLIC KEY BLOCK-----
 .
 mQINBFefw==
 -----END PGP PUBLIC KEY BLOCK-----
`
  expect(parseDeb822(text)[0]?.options).toEqual([
    'Signed-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n mQINBFefw==\n -----END PGP PUBLIC KEY BLOCK-----',
  ])
})

test('one-line: options become deb822 fields', () => {
  const text = `# deb http://old.example.org/debian bookworm main
deb [arch=amd64,arm64 signed-by=/usr/share/keyrings/k.gpg] http://mirror.example.org/debian bookworm main contrib # ours
deb-src http://mirror.example.org/debian bookworm main
`
  expect(parseOneLine(text)).toEqual([
    {
      uri: 'http://mirror.example.org/debian',
      suite: 'bookworm',
      components: ['main', 'contrib'],
      options: ['Signed-By: /usr/share/keyrings/k.gpg'],
    },
  ])
})
