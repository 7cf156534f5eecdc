import { listLabs } from '@expresslane/shared/wire/protocol'
import { serve } from '../http/serve.ts'
import type { ListedLab } from '@expresslane/shared/labs/lab'
import type { FastifyPluginAsync } from 'fastify'
import { mayReadNotes } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import type { Deps } from '../../deps.ts'
import { packJson, type Kept } from '../http/kept.ts'

function withoutNotes(lab: ListedLab): ListedLab {
  return { ...lab, steps: lab.steps.map((step) => ({ ...step, notes: null })) }
}

/** The labs, each as the reader may see it. */
export function labRoutes(
  { labs, testbeds, reach }: Pick<Deps, 'labs' | 'testbeds' | 'reach'>,
  kept: Kept,
): FastifyPluginAsync {
  /** Lists of labs with the glossary as text, by revision and reader: all participants have the same one. */
  const texts = new Map<string, string>()

  /** The labs that a principal may read. */
  function listFor(principal: Principal, asked: string | undefined): { readonly name: string; readonly text: string } {
    const language = asked !== undefined && labs.languages().has(asked) ? asked : null
    const listed = labs.all(language).filter(({ id }) => reach.readsLab(principal, id))
    const withNotes = mayReadNotes(principal)
    const before = `${labs.revision()} `
    const name = `${before}${withNotes} ${language} ${listed.map(({ id }) => id).join()}`
    for (const old of texts.keys()) if (!old.startsWith(before)) texts.delete(old)
    const text =
      texts.get(name) ??
      JSON.stringify({ labs: withNotes ? listed : listed.map(withoutNotes), glossary: labs.glossary(language) })
    texts.set(name, text)
    return { name, text }
  }

  return async (app) => {
    serve(app, listLabs, {
      summary: 'All labs in catalogue order, and the testbeds of this server',
      description:
        'Labs from the folders in `EXPRESSLANE_LABS` have the origin `own`. `glossary` has the definitions of terms in their text. `problems` lists the errors in lab files. Only instructors receive the speaker’s notes. With `language`, labs and glossary are in that language where there is a translation. The stream sends a `labs` frame when this response changes.',
      tags: ['labs'],
      handler: async (request, reply) => {
        const { principal } = request
        const offered = reach.testbeds(principal, testbeds.offered())
        const rest = JSON.stringify({
          problems: principal.role === 'instructor' ? labs.problems() : [],
          testbeds: offered,
        })
        const { name, text } = listFor(principal, request.query.language)
        return kept.send(request, reply, `labs ${name} ${rest}`, () =>
          packJson(`${text.slice(0, -1)},${rest.slice(1)}`),
        )
      },
    })
  }
}
