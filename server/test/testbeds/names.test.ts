/** A testbed knows primitives: no file of it names a feature, a setting or a capability of one, or a lab. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { abouts } from '@expresslane/shared/features/abouts'
import { features } from '@expresslane/shared/features/registry'
import { primitives } from '@expresslane/shared/testbed/primitive'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const inRoot = (path: string): string => fileURLToPath(new URL(path, root))

/** Everyday words, Kubernetes' name for a kind of service, and what is a primitive's name, too. */
const everyday: ReadonlySet<string> = new Set([
  'encryption',
  'kernel',
  'limits',
  'translator',
  'nodeport',
  'NodePort',
  ...primitives,
])

const labs = readdirSync(inRoot('labs')).flatMap((file) => {
  const id = /^([a-z0-9-]+)\.md$/.exec(file)?.[1]
  if (id === undefined) return []
  const title = /^title: (.+)$/m.exec(readFileSync(inRoot(`labs/${file}`), 'utf8'))?.[1]
  return title === undefined ? [id] : [id, title]
})
const ofFeatures = [
  ...abouts.all().flatMap(({ id, name, capabilities }) => [id, name, ...capabilities.map((one) => one.id)]),
  ...features.all().flatMap(({ settings }) => settings.map(({ id }) => id)),
]
const names = [...new Set([...ofFeatures, ...labs])].filter((name) => !everyday.has(name))

/** The names that are in a text as whole words, in code or in prose. */
function namesIn(text: string): string[] {
  return names.filter((name) => {
    const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    return new RegExp(String.raw`(?<![\w/-])${escaped}(?![\w-])`, 'i').test(text)
  })
}

test.each([
  ["if (settings['big-tcp-ipv4'] === true) return", ['big-tcp-ipv4']],
  ['/** The devices get the sizes of BIG TCP. */', ['BIG TCP']],
  ["['pod-device-netkit', refusals.netkit]", ['pod-device-netkit']],
  ['The lab “XDP on a real cluster” measures that.', ['XDP on a real cluster']],
  ["'cilium-config/bpf-lb-mode', as primitive `mtu` of the kernel's NodePort", []],
])('a name fires: %s', (text, found) => {
  expect(namesIn(text)).toEqual(found)
})

test('no file of a testbed has one', () => {
  const folder = inRoot('server/src/testbeds')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  expect(files.length).toBeGreaterThan(100)
  const found = files.map((file) => [file, namesIn(readFileSync(`${folder}/${file}`, 'utf8'))] as const)
  expect(found.filter(([, has]) => has.length > 0)).toEqual([])
})
