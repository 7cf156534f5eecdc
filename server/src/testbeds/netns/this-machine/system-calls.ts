/**
 * The system calls that a terminal on this machine may not make, as a program of seccomp(2). Its shell has CAP_SYS_ADMIN in the
 * testbed's user namespace, because `ip -n` needs it to enter another network namespace. Nothing else may come of it: no
 * other mount becomes writable, and no limit is lost in a new namespace. Pure.
 */

/** Codes of instructions (<linux/bpf_common.h>): load a word of `struct seccomp_data`, compare, and return. */
const [LOAD, EQUAL, ANY_BIT, RETURN] = [0x20, 0x15, 0x45, 0x06]
const [ALLOW, DENY, MISSING] = [0x7fff0000, 0x00050000 | 1, 0x00050000 | 38]
/** Offsets in `struct seccomp_data`. */
const [NUMBER, ARCHITECTURE] = [0, 4]
const argument = (index: number): number => 16 + 8 * index

/** Bits of mount(2), and of clone(2) and unshare(2). */
const [MS_REMOUNT, MS_BIND, MS_MOVE] = [32, 4096, 8192]
const [NEWNS, NEWNET] = [0x20000, 0x40000000]
const NAMESPACES = 0x7e020000

/** The numbers of system calls on each processor, and the audit architecture of <linux/audit.h>. */
const processors = {
  x64: { architecture: 0xc000003e, mount: 165, umount2: 166, pivotRoot: 155, unshare: 272, clone: 56, setns: 308 },
  arm64: { architecture: 0xc00000b7, mount: 40, umount2: 39, pivotRoot: 41, unshare: 97, clone: 220, setns: 268 },
} as const
/** The same everywhere: open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, mount_setattr and open_tree_attr. */
const newMounts = [428, 429, 430, 431, 432, 433, 442, 467]
const CLONE3 = 435
/** The bit of the numbers of x32 on x86-64. */
const X32 = 0x40000000

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

const give = (value: number): Instruction => [RETURN, 0, 0, value]
/** Denies a call whose argument has any of these bits, and allows every other call. */
const without = (index: number, bits: number): Instruction[] => [
  [LOAD, 0, 0, argument(index)],
  [ANY_BIT, 0, 1, bits],
  give(DENY),
  give(ALLOW),
]
/** Runs the instructions for a call of this number. */
const on = (number: number, then: readonly Instruction[]): Instruction[] => [[EQUAL, 0, then.length, number], ...then]

/** The program, as bwrap(1) reads it: an array of `struct sock_filter`. */
export function forbidding(processor: keyof typeof processors): Buffer {
  const { architecture, mount, umount2, pivotRoot, unshare, clone, setns } = processors[processor]
  const onlyNetworks: Instruction[] = [[LOAD, 0, 0, argument(1)], [EQUAL, 0, 1, NEWNET], give(ALLOW), give(DENY)]
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [EQUAL, 1, 0, architecture],
    give(DENY),
    [LOAD, 0, 0, NUMBER],
    [ANY_BIT, 0, 1, X32],
    give(DENY),
    ...[umount2, pivotRoot, ...newMounts].flatMap((number) => on(number, [give(DENY)])),
    // Its arguments are out of reach. The C library then calls clone.
    ...on(CLONE3, [give(MISSING)]),
    ...on(mount, without(3, MS_REMOUNT | MS_BIND | MS_MOVE)),
    ...on(clone, without(0, NAMESPACES)),
    ...on(unshare, without(0, NAMESPACES & ~NEWNS)),
    ...on(setns, onlyNetworks),
    give(ALLOW),
  ]
  const bytes = Buffer.alloc(8 * program.length)
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, 8 * at)
    bytes.writeUInt8(ifTrue, 8 * at + 2)
    bytes.writeUInt8(ifFalse, 8 * at + 3)
    bytes.writeUInt32LE(value >>> 0, 8 * at + 4)
  }
  return bytes
}
