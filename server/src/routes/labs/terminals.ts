/** Terminals on testbeds: their own routes, and the WebSocket of each. */
import {
  closeTerminal,
  listTerminals,
  openTerminal,
  terminalMessage,
  terminalQuery,
  type TerminalFrame,
} from '@expresslane/shared/wire/terminal'
import { errorBody, LabError } from '@expresslane/shared/base/errors'
import { streamClose } from '@expresslane/shared/wire/stream'
import type { TestbedId } from '@expresslane/shared/testbed/id'
import type { FastifyPluginAsync } from 'fastify'
import type { RawData, WebSocket } from 'ws'
import { z } from 'zod'
import { whyNoTerminal } from '../../access/policy.ts'
import type { Principal } from '../../access/principal.ts'
import type { Sharing } from '../../classroom/hands.ts'
import type { Deps } from '../../deps.ts'
import type { OpenTerminal } from '../../terminals/terminals.ts'
import { auditOnSocket } from '../http/audit-lines.ts'
import { refusals } from '../http/schemas.ts'
import { serve } from '../http/serve.ts'

/** A page with more than this unread is cut. It comes back, and goes on where it was. */
const BUFFERED_BYTES = 1024 * 1024

function requireTerminal(of: Principal, id: TestbedId): void {
  const why = whyNoTerminal(of, id)
  if (why !== null)
    throw new LabError('testbed_unavailable', why, 'Use the buttons of the lab, or the counted machine.')
}

/** The page of an instructor at a participant's terminal. */
interface Looking {
  readonly ended: AbortSignal
  /** Types, if the participant allows it. */
  type(text: string): Promise<void>
  /** Called when the page has left. */
  left(): void
}

/** Connects a page to a terminal until either ends. @param looking null for a page of the terminal's own person */
function connect(socket: WebSocket, terminal: OpenTerminal, after: number | undefined, looking: Looking | null): void {
  const send = (frame: TerminalFrame): void => socket.send(JSON.stringify(frame))
  const end = (message: string): void => {
    send({ type: 'ended', message })
    socket.close()
  }
  const { byte, size, leave } = terminal.watch(
    {
      output(bytes) {
        socket.send(bytes)
        if (socket.bufferedAmount > BUFFERED_BYTES) socket.close(streamClose.tooSlow, 'reads too slowly')
      },
      resized(next) {
        if (looking !== null) send({ type: 'size', ...next })
      },
      ended: end,
    },
    after,
  )
  send({ type: 'from', byte })
  if (looking !== null) send({ type: 'size', ...size })
  looking?.ended.addEventListener('abort', () => {
    // Output can come before the socket has closed.
    leave()
    end('You no longer look at this terminal.')
  })
  let waiting = 0
  /** Reads on when the terminal has taken the keys: a program that reads none must not fill the server's memory. */
  async function type(text: string): Promise<void> {
    waiting += 1
    socket.pause()
    await (looking ?? terminal).type(text)
    waiting -= 1
    if (waiting === 0) socket.resume()
  }
  socket.on('message', (data) => {
    const { data: message } = terminalMessage.safeParse(parsed(data))
    // The page sends nothing else.
    if (message === undefined) socket.terminate()
    else if (message.type === 'keys') void type(message.text)
    // Its person alone decides its size.
    else if (looking === null) terminal.resize(message)
  })
  socket.on('close', () => {
    leave()
    looking?.left()
  })
  socket.on('error', () => socket.terminate())
}

function parsed(data: RawData): unknown {
  try {
    return Buffer.isBuffer(data) ? JSON.parse(data.toString('utf8')) : null
  } catch {
    return null
  }
}

type Parts = Pick<Deps, 'terminals' | 'testbeds' | 'reach' | 'hands' | 'store' | 'log' | 'clock' | 'logger'>

export function terminalRoutes(parts: Parts): FastifyPluginAsync {
  const { terminals, testbeds, reach, hands } = parts

  /** The shared session that a terminal belongs to; undefined for every terminal that nobody shares with the principal. */
  function sharingAt(terminal: string, principal: Principal): Sharing | undefined {
    return hands
      .sharingsWith(principal)
      .find(({ person, testbed }) => terminals.of(person, testbed).some(({ id }) => id === terminal))
  }

  /** The audit log says where and when the instructor types, and not what. */
  function lookingAt(
    { view }: OpenTerminal,
    { session, ended, mayType }: Sharing,
    type: (text: string) => Promise<void>,
    note: (action: string, target: Record<string, string>) => void,
  ): Looking {
    let hasTyped = false
    const target = { id: view.id, sessionId: session, testbed: view.testbed, place: view.place }
    return {
      ended,
      async type(text) {
        if (!mayType()) return
        if (!hasTyped) note('begins typing in a participant’s terminal', target)
        hasTyped = true
        await type(text)
      },
      left() {
        if (hasTyped) note('stops typing in a participant’s terminal', target)
      },
    }
  }

  return async (app) => {
    serve(app, listTerminals, {
      summary: 'The places for terminals on a testbed, and your terminals there',
      tags: ['labs'],
      errors: [404, 424],
      handler: async ({ principal, params }) => {
        const id = testbeds.resolve(reach.testbedToUse(principal, params.id))
        const refusal = whyNoTerminal(principal, id)
        const places = refusal === null ? ((await testbeds.get(id)).terminals?.places ?? []) : []
        return { places: [...places], terminals: terminals.of(principal.id, id), refusal }
      },
    })

    serve(app, openTerminal, {
      summary: 'Open a terminal: a shell at a place of a testbed',
      description: 'It goes on without a page for an hour. `GET /api/terminals/ID/stream` connects to it.',
      tags: ['labs'],
      errors: [404, 409, 424],
      handler: async ({ principal, params, body: { place, ...size } }) => {
        const id = testbeds.resolve(reach.testbedToUse(principal, params.id))
        requireTerminal(principal, id)
        return terminals.open(principal.id, id, place, size)
      },
    })

    serve(app, closeTerminal, {
      summary: 'End a terminal, and everything that runs in it',
      tags: ['labs'],
      errors: [404],
      handler: async ({ principal, params }) => terminals.require(principal.id, params.id).end(),
    })

    app.route({
      method: 'GET',
      url: '/api/terminals/:id/stream',
      schema: {
        summary: 'The keys and the output of a terminal (WebSocket)',
        description:
          'Output comes as binary messages, after one `from`; `after=BYTE` goes on after that byte, if it is kept. The page sends `keys` and `size`. An instructor whom a participant lets in gets a `size`, too; their keys count when the participant allows them.',
        tags: ['labs'],
        params: closeTerminal.params,
        querystring: terminalQuery,
        response: { ...refusals, 404: errorBody, 426: errorBody },
      },
      handler: async () => {
        throw new LabError(
          'upgrade_required',
          'This address accepts only WebSocket connections.',
          'Connect with a WebSocket client.',
        )
      },
      wsHandler: (socket, request) => {
        const { id } = z.object({ id: z.string() }).parse(request.params)
        try {
          const sharing = sharingAt(id, request.principal)
          const terminal = terminals.require(sharing?.person ?? request.principal.id, id)
          const looking =
            sharing === undefined
              ? null
              : lookingAt(terminal, sharing, terminal.type, (...line) => void auditOnSocket(parts, request, ...line))
          connect(socket, terminal, terminalQuery.parse(request.query).after, looking)
        } catch (error) {
          if (!(error instanceof LabError)) throw error
          socket.send(JSON.stringify({ type: 'ended', message: error.message } satisfies TerminalFrame))
          socket.close()
        }
      },
    })
  }
}
