import { expect, test } from 'vitest'
import { userFor } from '../../../src/testbeds/netns/this-machine/user.ts'

const everything = 'Name:\tnode\nCapPrm:\t000001ffffffffff\nCapEff:\t000001ffffffffff\n'
/** Docker's default: no CAP_SYS_ADMIN. */
const container = 'CapEff:\t00000000a80425fb\n'
const all = '         0          0 4294967295\n'
const root = { uid: 0, status: everything, uidMap: all, gidMap: all }
const nobody = { uid: 65_534, gid: 65_534 }

test.each([
  ['root is nobody, and makes namespaces for it', root, { ...nobody, helped: true }],
  ['root of a container is nobody', { ...root, status: container }, { ...nobody, helped: false }],
  ['an ordinary user stays', { ...root, uid: 1000 }, null],
  ['root without capabilities stays', { ...root, status: 'CapEff:\t0000000000000000\n' }, null],
  ['root of a namespace with one user stays', { ...root, uidMap: '         0       1000          1\n' }, null],
  [
    'a user in the second range exists',
    { ...root, uidMap: '0 1000 1\n1 100000 65536\n', gidMap: '0 1000 1\n1 100000 65536\n' },
    { ...nobody, helped: true },
  ],
])('%s', (_, self, expected) => {
  expect(userFor(self)).toEqual(expected)
})
