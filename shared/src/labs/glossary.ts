/** The glossary of the labs: short definitions of the field's jargon, which the page marks in a step's text. */
import { z } from 'zod'

const name = z.string().trim().min(1).max(40)

export const glossaryTerm = z.strictObject({
  /** As it is written in a text. A term in lowercase letters may begin with a capital there, and any may end with an s. */
  term: name,
  /** Other ways to write it. */
  aliases: z.array(name).max(8).default([]),
  definition: z.string().trim().min(1).max(240),
  /** A part of commands: it is explained below a command that has it, and not marked in a text. */
  command: z.boolean().default(false),
  /** Where to read more. */
  link: z
    .string()
    .max(300)
    .regex(/^https:\/\/\S+$/, { error: 'expected an address that begins with https://' })
    .nullable()
    .default(null),
})
export type GlossaryTerm = z.infer<typeof glossaryTerm>

/** The content of a `glossary.yaml`. */
export const glossary = z.array(glossaryTerm).max(200)
