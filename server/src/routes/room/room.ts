import {
  downloadResults,
  downloadRoomReport,
  downloadStatements,
  downloadSteps,
  downloadStepsReport,
  readRoom,
  pauseQueue,
  sendMessage,
  allowNetwork,
  removeParticipant,
} from '@expresslane/shared/wire/board'
import type { Output } from '@expresslane/shared/wire/route'
import { serve } from '../http/serve.ts'
import { LabError } from '@expresslane/shared/base/errors'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Entrance } from '../../access/entrance.ts'
import type { Deps } from '../../deps.ts'
import { roomResults, roomSteps } from '../../classroom/results.ts'
import type { Reports } from '../../reports/make-apart.ts'
import { requireLab } from '../../runs/coordination/plan.ts'
import { packedReport, sendPacked } from '../http/kept.ts'

/** Everybody's results of a lab, as files. */
export function roomResultRoutes(
  deps: Pick<Deps, 'store' | 'log' | 'findLab' | 'clock'>,
  reports: Reports,
  version: string,
): FastifyPluginAsync {
  const { findLab } = deps

  async function sendResults(
    request: FastifyRequest,
    reply: FastifyReply,
    labId: string,
    format: 'html' | 'csv',
  ): Promise<FastifyReply> {
    const results = roomResults(deps, requireLab(findLab(labId), labId), `Expresslane ${version}`)
    return sendPacked(request, reply, packedReport(await reports.makeOfRoom({ room: results, format })))
  }

  return async (app) => {
    serve(app, downloadResults, {
      summary: 'Everybody’s results of a lab, one line per session',
      description: 'Includes participants who were removed.',
      tags: ['room'],
      errors: [404],
      file: 'A file',
      handler: async (request, reply) => sendResults(request, reply, request.query.lab, 'csv'),
    })

    serve(app, downloadRoomReport, {
      summary: 'Everybody’s results of a lab as one HTML report',
      description: 'With a dot plot, the room’s median and its interval. Includes participants who were removed.',
      tags: ['room'],
      errors: [404],
      file: 'A file',
      handler: async (request, reply) => sendResults(request, reply, request.query.lab, 'html'),
    })
  }
}

const NAMES = 'Without `names=true` people are not named. Includes participants who were removed.'

/** Where the room got stuck in a lab, as files. @param origin the address under which the room reaches this server */
export function roomStepsRoutes(
  deps: Pick<Deps, 'store' | 'findLab' | 'clock' | 'presence' | 'config'>,
  reports: Reports,
  version: string,
  origin: () => string,
): FastifyPluginAsync {
  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    { lab, names }: Output<typeof downloadSteps, 'query'>,
    format: 'html' | 'csv' | 'json',
  ): Promise<FastifyReply> {
    const made = { named: names === 'true', origin: origin(), madeBy: `Expresslane ${version}` }
    const parts = { ...deps, idleMs: deps.config.idleMs }
    const steps = roomSteps(parts, requireLab(deps.findLab(lab), lab), made)
    return sendPacked(request, reply, packedReport(await reports.makeOfRoom({ steps, format })))
  }

  return async (app) => {
    serve(app, downloadStepsReport, {
      summary: 'Where the room got stuck in a lab, as one HTML report',
      description: NAMES,
      tags: ['room'],
      errors: [404],
      file: 'A file',
      handler: async (request, reply) => send(request, reply, request.query, 'html'),
    })

    serve(app, downloadSteps, {
      summary: 'Where the room got stuck in a lab, one line per step',
      description: NAMES,
      tags: ['room'],
      errors: [404],
      file: 'A file',
      handler: async (request, reply) => send(request, reply, request.query, 'csv'),
    })

    serve(app, downloadStatements, {
      summary: 'The learners’ ways through a lab as xAPI statements',
      description: `A list for the statements resource of a learning record store. A second export has the same ids. ${NAMES}`,
      tags: ['room'],
      errors: [404],
      file: 'A file',
      handler: async (request, reply) => send(request, reply, request.query, 'json'),
    })
  }
}

/** The instructor's board, with the ways to pause the queue, to write messages and to remove a participant. */
export function roomRoutes(
  { scheduler, room, messages, people }: Pick<Deps, 'scheduler' | 'room' | 'messages' | 'people'>,
  entrance: Entrance,
): FastifyPluginAsync {
  return async (app) => {
    serve(app, readRoom, {
      summary: 'The board: the participants with their steps and results, and the queue',
      description: 'The stream sends a `room` frame when this response changes, at most once per second.',
      tags: ['room'],
      handler: async () => ({ ...room.view(), doors: entrance.doors() }),
    })

    serve(app, pauseQueue, {
      summary: 'Pause or resume the queue',
      description:
        'While the queue is paused, runs that have started continue, and only runs of instructors start. The pause survives a restart.',
      tags: ['room'],
      handler: async ({ body }) => {
        scheduler.pauseQueue(body.paused)
        room.note()
        return body
      },
    })

    serve(app, sendMessage, {
      summary: 'Show a message on the pages of one participant, or of all',
      description: 'Only pages that are open now show it.',
      tags: ['room'],
      handler: async ({ body }) => {
        messages.send(body)
      },
    })

    serve(app, allowNetwork, {
      summary: 'Let more people join from one network',
      description:
        'Half of the seats can be taken from one address, or one IPv6 network, before an instructor allows more: a whole room can share it. A restart forgets it.',
      tags: ['room'],
      handler: async ({ body }) => {
        people.allowFrom(body.network)
        room.note()
      },
    })

    serve(app, removeParticipant, {
      summary: 'Remove a participant',
      description:
        'Ends their access and connections at once, then cancels their runs and closes their testbed. Sessions and results stay. Open doors get new codes, and the invitation that the participant used lets nobody else in.',
      tags: ['room'],
      errors: [404],
      handler: async ({ params }) => {
        const isIn = people.participants().some(({ id }) => id === params.id)
        if (!isIn || !people.remove(params.id)) {
          throw new LabError('not_found', 'This participant is not in the room.', 'Load the board again.')
        }
        entrance.renewDoors()
      },
    })
  }
}
