import { expect, test } from 'vitest'
import { moreSources, parseDeb822, parseOneLine } from '../setup/apt-sources.mjs'

const bookworm = { id: 'debian', codename: 'bookworm' }

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

test('Debian 12: the mirror and key of the system, with the component and the suite it lacks', () => {
  expect(moreSources(parseDeb822(deb822), bookworm, ['netperf', 'iproute2'])).toMatchInlineSnapshot(`
    "# Written by Expresslane for netperf and iproute2.
    Types: deb
    URIs: http://mirror.example.org/debian
    Suites: bookworm
    Components: non-free
    Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

    Types: deb
    URIs: http://mirror.example.org/debian
    Suites: bookworm-backports
    Components: main
    Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
    "
  `)
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
      options: ['Architectures: amd64 arm64', 'Signed-By: /usr/share/keyrings/k.gpg'],
    },
  ])
})

test('Ubuntu: netperf is in multiverse', () => {
  const sources = parseOneLine('deb http://mirror.example.org/ubuntu questing main universe\n')
  expect(moreSources(sources, { id: 'ubuntu', codename: 'questing' }, ['netperf'])).toBe(
    [
      '# Written by Expresslane for netperf.',
      'Types: deb',
      'URIs: http://mirror.example.org/ubuntu',
      'Suites: questing',
      'Components: multiverse',
      '',
    ].join('\n'),
  )
})

test('packages that the machine already has are not added again', () => {
  const sources = parseOneLine('deb http://mirror.example.org/debian bookworm main non-free\n')
  expect(moreSources(sources, bookworm, ['netperf'])).toBeNull()
})

test("without a mirror of the system's release nothing is added", () => {
  expect(moreSources(parseOneLine('deb http://apt.example.org stable main\n'), bookworm, ['netperf'])).toBeNull()
})
