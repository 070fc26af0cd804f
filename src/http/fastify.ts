/** The HTTP server itself: limits, ids, TLS, and what Fastify is told to do our way. */
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Config } from '../config/config.ts';
import type { Clock } from '../lib/clock.ts';
import { uuid } from '../lib/uuid.ts';
import { registerBodies } from './body.ts';
import { noteCalls } from './calls.ts';
import type { Connections } from './connections.ts';
import { answerInTime } from './deadline.ts';
import { answerClientError, refuseTunnel, registerErrors, sendError } from './errors.ts';
import { continueWhenWelcome } from './expectations.ts';
import { answerHead, routeAsGet } from './head.ts';
import { beCautious } from './headers.ts';
import { defaultBodyLimit } from './load.ts';
import { refuseUnknownCalls } from './methods.ts';
import { limitConnections } from './open-connections.ts';
import { followAnswers } from './pipelining.ts';
import { checkAllBut, refuseBrokenQuery } from './problems.ts';
import { shedLoad } from './shedding.ts';
import { waitForMakers } from './slow-makers.ts';
import type { Spool } from './spool.ts';
import { readTls } from './tls.ts';
import { requireHttps } from './transport.ts';

export interface AppDeps extends Connections {
  readonly config: Config;
  readonly clock: Clock;
  /** Where files of forms wait while they are sent. */
  readonly spool?: Spool;
  readonly logger?: FastifyServerOptions['loggerInstance'];
  /** How long a call may take to arrive. */
  readonly requestTimeoutMs?: number;
  /** How long it may take to be answered. */
  readonly answerTimeoutMs?: number;
  /** How long nothing may move on a connection. */
  readonly stillTimeoutMs?: number;
}

export type App = ReturnType<typeof createServer>;

const usualRequestTimeoutMs = 30_000;
/** Of that, its first lines. */
const headersTimeoutMs = 10_000;
/** A connection on which nothing moves, because nobody takes the answer: longer than any call waits. */
const usualStillTimeoutMs = 60_000;
/** Before its connection would be closed so. */
const usualAnswerTimeoutMs = 55_000;
/** Late calls are looked for this many times in the time they have. */
const timeoutChecks = 6;
/** What has begun may take this long once the process is told to stop. */
const usualStopGraceMs = 7_000;
const clientRequestId = /^[\w.:-]{1,128}$/;

/**
 * Given from the beginning, for Fastify would load compilers of its own, a hundred modules, to have them replaced.
 * Its types know of those alone.
 */
const ownCompilers = {
  compilersFactory: {
    // What a header must be is said where it is used; schemas only describe it.
    buildValidator: () => checkAllBut('headers'),
    // Answers are built by us and checked against their schemas in the tests, not on every call.
    buildSerializer: () => () => JSON.stringify,
  },
} as unknown as FastifyServerOptions['schemaController'];

/** A Fastify with the ground every route stands on, and no route yet. */
export function createServer(deps: AppDeps) {
  const { config, load, logger, requestTimeoutMs = usualRequestTimeoutMs } = deps;
  const tls = readTls(config);
  const stopGraceMs = Math.min(requestTimeoutMs, usualStopGraceMs);
  const server = {
    connectionsCheckingInterval: requestTimeoutMs / timeoutChecks,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    // Node would refuse with an empty answer of its own; nothing here depends on the header.
    requireHostHeader: false,
  };
  const app = Fastify({
    ...(logger ? { loggerInstance: logger } : {}),
    ...(tls ? { https: { ...tls, ...server } } : { http: server }),
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    genReqId: () => uuid(),
    requestIdHeader: false,
    // One line a call, with its answer (calls.ts), instead of Fastify's two.
    logController: new LogController({
      requestIdLogLabel: 'request_id',
      disableRequestLogging: true,
    }),
    requestTimeout: requestTimeoutMs,
    connectionTimeout: deps.stillTimeoutMs ?? usualStillTimeoutMs,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    bodyLimit: defaultBodyLimit,
    routerOptions: { maxParamLength: 200 },
    exposeHeadRoutes: false,
    rewriteUrl: routeAsGet,
    schemaController: ownCompilers,
    // A sender's own id is kept in the log, where it helps them; it is never ours.
    childLoggerFactory: (parent, bindings, options, raw) => {
      const given = raw.headers['x-request-id'];
      const theirs = typeof given === 'string' && clientRequestId.test(given) ? given : undefined;
      return parent.child(theirs ? { ...bindings, client_request_id: theirs } : bindings, options);
    },
    clientErrorHandler: answerClientError,
    // Before any hook has run.
    frameworkErrors: (error, request, reply) => {
      beCautious(request, reply);
      sendError(error, request, reply);
    },
  } as FastifyServerOptions) as FastifyInstance;
  // Once it is closing, Node no longer looks for calls that are late.
  app.addHook('preClose', async () => {
    setTimeout(() => app.server.closeAllConnections(), stopGraceMs).unref();
  });
  answerHead(app);
  registerErrors(app);
  noteCalls(app, deps.pool);
  waitForMakers(app);
  answerInTime(app, deps.answerTimeoutMs ?? usualAnswerTimeoutMs);
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    beCautious(request, reply);
  });
  requireHttps(app);
  refuseUnknownCalls(app);
  shedLoad(app, load);
  limitConnections(app.server, load);
  followAnswers(app.server);
  registerBodies(app);
  continueWhenWelcome(app);
  app.server.on('connect', refuseTunnel);
  app.decorateRequest('caller', null);
  app.addHook('preValidation', refuseBrokenQuery);
  return app.withTypeProvider<ZodTypeProvider>();
}
