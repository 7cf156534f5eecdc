/** The exhibits of a probe: small things of a few kinds. The page shows them without knowing the feature. */
import { z } from 'zod'

const words = z.string().max(300)
const cell = z.string().max(500)
const prefixBits = z.union([z.literal(32), z.literal(40), z.literal(48), z.literal(56), z.literal(64), z.literal(96)])

/** The beginning of a packet, and where it was captured. */
const seenPacket = z.strictObject({
  /** Such as `client side, eth0`. */
  where: words,
  /** From the IP header on, in hex. */
  head: z
    .string()
    .regex(/^([0-9a-f]{2})*$/)
    .max(512),
})

export const exhibit = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('table'),
    title: words,
    columns: z.array(words).min(1).max(8),
    /** Each with a cell for each column. */
    rows: z.array(z.array(cell).max(8)).max(50),
    /** The number of rows that are left out. */
    more: z.number().int().nonnegative().default(0),
  }),
  /** A page as a browser got it. */
  z.strictObject({
    kind: z.literal('page'),
    title: words,
    url: words,
    /** HTTP's; null if no answer came. */
    status: z.number().int().nullable(),
    /** As text; without an answer why there is none. */
    text: z.string().max(4_000),
  }),
  /** An IPv6 address with an IPv4 address inside (RFC 6052). */
  z.strictObject({
    kind: z.literal('address'),
    title: words,
    ipv6: words,
    ipv4: words,
    /** The length of the translator's prefix. */
    prefixBits,
  }),
  /** A packet on both sides of a translator. */
  z.strictObject({ kind: z.literal('packets'), title: words, before: seenPacket, after: seenPacket }),
])
export type Exhibit = z.infer<typeof exhibit>
