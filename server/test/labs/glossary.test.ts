/** Glossaries: parsed with the place of each error, read with the labs of a folder, and sent with them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatLabProblem } from '@expresslane/shared/labs/problem'
import { labsResponse } from '@expresslane/shared/wire/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checkLabs } from '../../src/headless/check.ts'
import { createLabCatalogue } from '../../src/labs/catalogue.ts'
import { MAX_LAB_CHARACTERS, parseLab } from '../../src/labs/parse/parse.ts'
import { startServer } from '../support/http/server.ts'
import { shipped } from '../support/runs/labs.ts'
import { good } from './good-lab.ts'

const mine = `- term: MTU
  definition: My own words.
- term: giant frame
  aliases: [giant]
  definition: A long frame.
  link: https://example.org/frame
`

function problemsOf(text: string): string[] {
  const { terms, problems } = parseLab('glossary.yaml', text, 'mine/glossary.yaml')
  expect(terms === undefined).toBe(problems.length > 0)
  return problems.map(formatLabProblem)
}

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'labs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

describe('a glossary', () => {
  it('is a list of terms', () => {
    expect(parseLab('glossary.yaml', mine, 'x').terms).toEqual([
      { term: 'MTU', aliases: [], definition: 'My own words.', command: false, link: null },
      {
        term: 'giant frame',
        aliases: ['giant'],
        definition: 'A long frame.',
        command: false,
        link: 'https://example.org/frame',
      },
    ])
  })

  it.each([
    ['aliases: [giant]', 'alias: [giant]', '4:3: "alias" is not known here'],
    ['definition: A long frame.\n', 'definition: ""\n', '5:15: "definition": expected at least 1 character'],
    ['definition: A long frame.\n', `definition: ${'x'.repeat(241)}\n`, '5:15: "definition": expected at most 240'],
    ['https://', 'javascript://', '6:9: expected an address that begins with https://'],
    ['giant]', 'MTU]', '3:3: "MTU" is explained a second time'],
    ['- term: MTU', '- term: [', 'this is not valid YAML'],
    [mine, '', '1:1: expected a list, found nothing'],
    [mine, 'x'.repeat(MAX_LAB_CHARACTERS + 1), `1:1: expected at most ${MAX_LAB_CHARACTERS} characters`],
  ])('with %j as %j names the place of the error', (part, by, message) => {
    expect(problemsOf(mine.replace(part, by)).join('\n')).toContain(message)
  })

  it('is read with the labs of its folder, and replaces the definitions before it', async () => {
    const [ours, theirs] = [folderWith({ 'glossary.yaml': mine }), folderWith({ 'a.md': good, 'glossary.yaml': mine })]
    const folders = [ours, theirs].map((path) => ({ path, origin: 'own', watched: false }) as const)
    const catalogue = createLabCatalogue(folders, [])
    onTestFinished(() => catalogue.close())
    expect(catalogue.problems()).toEqual([])
    expect(catalogue.all().map(({ id }) => id)).toEqual(['a-ipv4', 'a-ipv6'])
    expect(catalogue.glossary().map(({ term }) => term)).toEqual(['MTU', 'giant frame', 'MTU', 'giant frame'])
  })

  it('is checked as labs are', () => {
    const folder = folderWith({ 'a.md': good, 'glossary.yaml': mine.replace('term', 'tern') })
    const lines = [
      expect.stringContaining('1:3: "term" is missing'),
      expect.stringContaining('1:3: "tern" is not known'),
    ]
    expect(checkLabs(['.'], folder)).toEqual({ lines, labs: 2 })
    expect(checkLabs(['glossary.yaml'], folder).lines).toHaveLength(2)
  })

  it('is sent with the labs, an instructor’s own after the shipped terms', async () => {
    const server = await startServer({ env: { EXPRESSLANE_LABS: folderWith({ 'glossary.yaml': mine }) } })
    const { glossary, problems } = labsResponse.parse(JSON.parse((await server.call('/api/labs')).text))
    expect(problems).toEqual([])
    expect(glossary.filter(({ term }) => term === 'MTU').map(({ definition }) => definition)).toEqual([
      expect.stringContaining('Maximum transmission unit'),
      'My own words.',
    ])
  })
})

it('the shipped glossary explains the jargon of the field', () => {
  const names = shipped.glossary().flatMap(({ term, aliases }) => [term, ...aliases])
  const jargon =
    'GSO GRO TSO veth qdisc conntrack NAT netkit XDP TC nftables iptables IPVS NodePort BPF skb MTU MSS NAT64 DNS64 CLAT netns netperf TPS p99 retransmit'
  expect(names).toEqual(expect.arrayContaining([...jargon.split(' '), 'jumbo frame', 'hop-by-hop', 'RFC 2675']))
})
