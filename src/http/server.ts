/**
 * The HTTP server: what applies to all requests is here; routes are in one file per noun in `routes/`.
 *
 * Order of processing: common headers, CORS, route lookup, URL check, write limits, identification, body, schema, handler. All
 * errors are answered by `answerProblem`.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import cors from '@fastify/cors';
import proxyAddr from '@fastify/proxy-addr';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
  type RouteHandlerMethod,
} from 'fastify';
import type { FastifyRouteSchemaDef } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';
import { percentDecoded } from '#core/model/path.ts';
import { negotiated } from '#words/languages.ts';
import { registerCosts } from './costs.ts';
import { cacheControlOf, corsOptions, securityHeaders } from './headers.ts';
import { hostCheck } from './host.ts';
import { registerIdempotency } from './idempotency.ts';
import { registerIdentity } from './identity.ts';
import { tellIgnored } from './ignored-parameters.ts';
import { createCounts, registerLimits } from './limits.ts';
import {
  answerBadRequest,
  connections,
  inOriginForm,
  maxHeaderBytes,
  readingFor,
  unlessDisconnected,
} from './listener.ts';
import { prefersMarkdown } from './markdown.ts';
import type { Tool } from './mcp/tool.ts';
import { registerMetrics } from './metrics.ts';
import { openApiDocument } from './openapi.ts';
import { type HttpFace, registerOperations } from './operation-routes.ts';
import { createPageLists } from './page-lists.ts';
import { tailOf } from './page-paths.ts';
import { refuseBadQuery } from './parameters.ts';
import { createPressure } from './pressure.ts';
import { createProposalViews, isReadByProposal } from './proposal-view.ts';
import { answerBadUrl, answerProblem, isForPeople, movedUrlOf, refusalOf } from './refusals.ts';
import { registerBodies } from './request-body/body.ts';
import { CachedBodies } from './response-cache/bodies.ts';
import { CachedResponses } from './response-cache/entries.ts';
import { FastPath } from './response-cache/fast-path.ts';
import { registerResponseCache } from './response-cache/hook.ts';
import { createRouteTable, type RouteTable } from './route-table.ts';
import { accountFace, passphraseRoutes } from './routes/account.ts';
import { type CurrentBatch, registerBatches } from './routes/batch.ts';
import { changeRoutes } from './routes/changes.ts';
import { childRoutes } from './routes/children.ts';
import { profileFace } from './routes/contributions.ts';
import { deletionRoutes } from './routes/deletion.ts';
import { eventRoutes, reviewFace } from './routes/events.ts';
import { exportRoutes } from './routes/export.ts';
import { fileLibraryRoutes } from './routes/file-library.ts';
import { fileRoutes } from './routes/files.ts';
import { healthRoutes } from './routes/health.ts';
import { identityFace } from './routes/identities.ts';
import { importRoutes } from './routes/imports.ts';
import { invitationFace } from './routes/invitations.ts';
import { likeFace } from './routes/likes.ts';
import { linkRoutes } from './routes/links.ts';
import { mailFace } from './routes/mails.ts';
import { mcpRoutes } from './routes/mcp.ts';
import { memberRoutes } from './routes/members.ts';
import { moderationFaces } from './routes/moderation.ts';
import { ownDataRoutes } from './routes/own-data.ts';
import { pageRoutes } from './routes/pages.ts';
import { passkeyFace, passkeySignInRoutes } from './routes/passkeys.ts';
import { pathRoutes } from './routes/paths.ts';
import { placeRoutes } from './routes/places.ts';
import { previewRoutes } from './routes/previews.ts';
import { referenceRoutes } from './routes/reference.ts';
import { resetLinkFace } from './routes/reset-links.ts';
import { searchRoutes } from './routes/search.ts';
import { secondFactorFace } from './routes/second-factor.ts';
import { sessionFace } from './routes/sessions.ts';
import { signUpConfirmationRoutes, signUpFace } from './routes/sign-ups.ts';
import { updateRoutes } from './routes/updates.ts';
import { vocabularyRoutes } from './routes/vocabulary.ts';
import './schemas/route.ts';
import { compileValidator } from './schemas/validate.ts';
import type { HttpSettings, Server, Service, Siblings } from './service.ts';
import { createSignInLimits } from './sign-in-limits.ts';
import { slowPath } from './slow-path.ts';
import type { WebFace } from './web-face.ts';

/** Operations of the core that are no feature yet. */
const ownFaces: readonly HttpFace[] = [
  accountFace,
  identityFace,
  invitationFace,
  likeFace,
  mailFace,
  ...moderationFaces,
  passkeyFace,
  profileFace,
  resetLinkFace,
  reviewFace,
  secondFactorFace,
  sessionFace,
  signUpFace,
];

/** Maximum size of bodies without pages or previews. */
const maxSmallBodyBytes = 64 * 1024;
/** Size of refused bodies that are read to their end. */
const drainedBytes = 1_000_000;

export interface BuiltServer {
  server: Server;
  /** Complete once the server is ready. */
  routes: RouteTable;
  openApi(): Record<string, unknown>;
}

export async function buildServer(
  { service, settings, logger }: { service: Service; settings: HttpSettings; logger: FastifyBaseLogger },
  { http: faces, mcp: tools }: { http: readonly HttpFace[]; mcp: readonly Tool[] },
  web?: WebFace,
  siblings?: Siblings,
): Promise<BuiltServer> {
  const routes = createRouteTable();
  const trust = trustOf(settings.trustProxy);
  const bodies = new CachedBodies(service.spillFile);
  const keyOf = (request: IncomingMessage) => addressed(request, trust !== false);
  const cache = new CachedResponses(service, bodies);
  const refuseHost = hostCheck({ ...settings, isTrustedProxy: trust || (() => false) });
  const pressure = createPressure(settings.hasRateLimits, () => metrics.countRefusedRead());
  const fastPath = new FastPath(service.store, cache, {
    keyOf,
    pressure,
    idOf,
    refuseHost,
    onHit({ request, id, ...hit }) {
      metrics.countHit(hit);
      service.tracing?.named(request, hit.route);
      countRead(service, request, hit);
      const ip = trust ? proxyAddr(request, trust) : request.socket.remoteAddress;
      logger.info({ reqId: id, ...hit, ip }, 'request completed');
    },
  });
  const traced = service.tracing?.listening ?? ((listener: RequestListener) => listener);
  const server: Server = Fastify({
    serverFactory: (handler) =>
      createServer(
        connections(settings),
        traced(inOriginForm(readingFor(service.store, fastPath.before(unlessDisconnected(handler))))),
      ),
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trust,
    schemaController: { compilersFactory },
    bodyLimit: maxSmallBodyBytes,
    forceCloseConnections: 'idle',
    // During shutdown, requests on open connections are still answered, and the connections are then closed.
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderBytes },
    genReqId: idOf,
    frameworkErrors: (error, request, reply) => answerBadUrl(error, request, reply, web),
    clientErrorHandler: answerBadRequest,
  }).withTypeProvider<TypeBoxTypeProvider>();

  server.setErrorHandler((error, request, reply) => {
    const movedUrl = movedUrlOf(error, request);
    if (movedUrl !== undefined) return reply.redirect(movedUrl, 308);
    // Nobody reads this response.
    if (service.operations.handles(error)) return reply.code(500).send();
    // Fastify ends the connection after a refused body, so that clients that are still sending may not see why. The rest of a short
    // body is read instead. A server that stops tells each client to open a new connection.
    if (!service.isStopping && Number(request.headers['content-length']) <= drainedBytes)
      reply.removeHeader('connection');
    return web && isForPeople(request)
      ? web.answerProblem(error, request, reply)
      : answerProblem(error, request, reply);
  });
  server.setNotFoundHandler(async (request) => {
    throw refusalOf(request, routes);
  });

  server.addHook('onRoute', (route) => {
    routes.add(route);
    // Slow reads are aborted; writes are not, because the caller must learn the outcome.
    if (route.method === 'GET' && route.url.startsWith('/v1/'))
      route.handlerTimeout ??= settings.requestTimeoutMs;
    if (route.schema?.others?.[204]) route.handler = answeringNothing(route.handler);
  });
  server.addHook('onRequest', async (request, reply) => {
    setCommonHeaders(request, reply, settings);
    const refusal = refuseHost(request.raw);
    if (refusal) throw refusal;
    if (request.method === 'OPTIONS') return answerOptions(request, reply, routes);
  });
  await server.register(cors, {
    delegator: (request, done) => done(null, isApi(request.url ?? '') ? corsOptions : { origin: false }),
  });
  server.addHook('onRequest', async (request, reply) => {
    if (request.is404 || request.routeOptions.config.isCatchAll) throw refusalOf(request, routes);
    // The tail of the path is decoded where it is used.
    refuseBadQuery(request.url);
    if (isApi(request.url)) tellIgnored(request, reply);
  });
  server.addHook('preValidation', async (request) => {
    const pattern = request.routeOptions.url;
    if (pattern?.endsWith('/*')) request.params = { path: tailOf(request.url, pattern) };
  });
  server.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions, ip } = request;
    const member = request.actor?.memberId;
    const ms = Math.round(reply.elapsedTime * 10) / 10;
    // Logs the pattern and not the URL, except for slow requests of pages. The URL may contain secrets (one-time links) and search terms.
    const route = routeOptions.url ?? 'none';
    const { statusCode: status } = reply;
    service.tracing?.named(request.raw, route);
    const path = slowPath({ route, url: request.url, status, ms });
    countRead(service, request.raw, { method, route, status });
    request.log.info(
      { method, route, status, ms, ip, member, ...(path !== undefined && { path }) },
      'request completed',
    );
  });

  const metrics = registerMetrics(server, service, settings.version, siblings);
  const limits = await registerLimits(server, settings.hasRateLimits, siblings?.count);
  const costs = registerCosts(server, service, settings.hasRateLimits, siblings?.count);
  const countFailure = siblings?.count ?? createCounts(service.clock);
  const signIns = createSignInLimits(service, limits, settings.hasRateLimits ? countFailure : undefined);
  const batches: CurrentBatch = new AsyncLocalStorage();
  // Operations of an atomic batch must not wait for a second connection while the batch holds one.
  const applyProposal = faces.flatMap(({ applyProposal }) => applyProposal ?? [])[0];
  const openers = faces.flatMap(({ openFile }) => openFile ?? []);
  const views = createProposalViews(server, service, applyProposal);
  const identified = () => batches.getStore()?.caller;
  if (web)
    server.addHook('onRequest', async (request, reply) => {
      if (!identified() && !views.current()) await web.lendSession(request, reply);
    });
  registerIdentity(server, service, identified, views);
  server.addHook('onRequest', async (request, reply) => {
    // With a site, the session cookie identifies the caller as well. The header is the same for all origins.
    const varies = web ? 'Authorization, Cookie' : 'Authorization';
    reply.header('vary', request.routeOptions.config.isNegotiated ? `${varies}, Accept` : varies);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    reply.header('cache-control', isRead ? cacheControlOf(request.headers) : 'no-store');
  });
  server.addHook('onRequest', async (request, reply) => {
    if (isReadByProposal(request.routeOptions)) return views.answer(request, reply, request.actor);
  });
  registerResponseCache(server, service, { cache, keyOf, isPurged: settings.isPurged, pressure });
  // Entered after the body is read, because reading runs in the context of the connection.
  server.addHook('preHandler', (request, _reply, done) => service.origins.run(request, done));
  registerIdempotency(server, service);
  await registerBatches(server, service, batches);
  server.addHook('preClose', async () => fastPath.close());

  const answerPages = createPageLists(service, bodies, settings.baseUrl);
  const openApi = () => openApiDocument(routes.routes, settings.version);
  // Registered in two scopes, because only pages accept multipart.
  await server.register(async (pages) => pageRoutes(pages as Server, service, settings, costs));
  await server.register(async (scope) => importRoutes(scope as Server, service));
  await server.register(async (scope) => mcpRoutes(scope as Server, service, settings, { costs, tools }));
  await server.register(async (scope) => {
    const others = scope as Server;
    await registerBodies(others);
    await changeRoutes(others, service, settings, costs);
    await childRoutes(others, service, settings.baseUrl);
    await deletionRoutes(others, service);
    await eventRoutes(others, service, settings, { costs, metrics });
    await exportRoutes(others, service, settings, costs);
    await fileLibraryRoutes(others, service, settings.baseUrl);
    await fileRoutes(others, service, limits, openers);
    for (const face of [...ownFaces, ...faces])
      registerOperations({ server: others, service, settings, costs, limits }, face);
    await healthRoutes(others, service, metrics, settings);
    await linkRoutes(others, service, bodies);
    await memberRoutes(others, service, limits, signIns);
    await passphraseRoutes(others, service, signIns);
    await passkeySignInRoutes(others, service, settings, { limits, signIns });
    await signUpConfirmationRoutes(others, service, limits);
    await ownDataRoutes(others, service, limits);
    await pathRoutes(others, service);
    await placeRoutes(others, service, answerPages);
    await searchRoutes(others, service, answerPages);
    await previewRoutes(others, service, costs);
    await referenceRoutes(others, openApi, settings.baseUrl);
    await updateRoutes(others, service);
    await vocabularyRoutes(others, service);
  });
  registerCatchAll(server, routes);
  await web?.register(server, { limits, signIns, costs, views });
  return { server, routes, openApi };
}

/**
 * Wraps the handler of a route with status 204: its return value is not sent. Without this, the framework sends nothing to a
 * caller who has disconnected, and the response would be missing for a retry with the same idempotency key.
 */
function answeringNothing(handler: RouteHandlerMethod): RouteHandlerMethod {
  return async function (request, reply) {
    await handler.call(this, request, reply);
    return reply.code(204).send();
  };
}

/** Ensures that requests below /v1 are never handled by a catch-all route. */
function registerCatchAll(server: Server, routes: RouteTable): void {
  for (const url of ['/v1', '/v1/*']) {
    server.route({
      method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url,
      config: { isCatchAll: true },
      schema: { hide: true },
      handler: async (request) => {
        throw refusalOf(request, routes);
      },
    });
  }
}

/** Set here and not by `setValidatorCompiler`, which would still load the framework's own compiler. */
const compilersFactory = {
  buildValidator: () => (route: FastifyRouteSchemaDef<TSchema>) =>
    compileValidator(route.schema, (route.httpPart ?? 'body') as 'body' | 'querystring' | 'params'),
  // Types ensure that responses match their schemas, and page-json.ts lists every field, so nothing has to be filtered.
  buildSerializer: () => () => JSON.stringify,
  // The framework's types only know its own compilers.
} as unknown as NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;

/** A number means that this many proxies, counted from the server outwards, are trusted. */
function trustOf(trust: HttpSettings['trustProxy']): false | ((address: string, hop: number) => boolean) {
  if (typeof trust === 'boolean') return trust && (() => true);
  if (typeof trust === 'number') return (_address, hop) => hop < trust;
  return proxyAddr.compile([trust].flat().flatMap((list) => list.split(',').map((one) => one.trim())));
}

/** The client's request ID if it is valid, so that the request can be found in several logs. */
function idOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID();
}

/**
 * Part of the cache key that depends on the host: pages of the site contain the requested host, API responses do not.
 */
function addressed({ url = '', headers }: IncomingMessage, isProxied: boolean): string {
  // The only difference that `Accept` makes.
  const otherwise = isApi(url) ? 'application/json' : 'text/html';
  const form = prefersMarkdown(headers.accept, otherwise) ? ' as Markdown' : '';
  if (isApi(url)) return url + form;
  const proxied = isProxied ? `${headers['x-forwarded-proto']} ${headers['x-forwarded-host']} ` : '';
  return `${proxied}${headers.host} ${negotiated(headers['accept-language']) ?? ''} ${url}${form}`;
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply, settings: HttpSettings): void {
  reply.headers(securityHeaders).header('x-request-id', request.id);
  if (settings.baseUrl.startsWith('https:')) reply.header('strict-transport-security', 'max-age=31536000');
  // Allows scripts and cross-origin isolated pages of all origins to read the API.
  if (isApi(request.url)) reply.header('cross-origin-resource-policy', 'cross-origin');
}

/** For the API the CORS hook answers the request; the site does not permit other origins. */
function answerOptions(
  request: FastifyRequest,
  reply: FastifyReply,
  routes: RouteTable,
): FastifyReply | undefined {
  const methods = routes.methodsAt(request.url);
  if (methods.length === 0 && request.url !== '*') throw refusalOf(request, routes);
  reply.header('allow', methods.join(', '));
  return isApi(request.url) ? undefined : reply.code(204).send();
}

function isApi(url: string): boolean {
  return /^\/((v1|mcp|healthz|readyz|metrics)(?![^/?#])|files\/)/.test(url);
}

/** Counts a page that the site showed to somebody, not one that a browser loads ahead. */
function countRead(
  { tally, store }: Service,
  { url = '', headers }: IncomingMessage,
  { method, route, status }: { method: string; route: string; status: number },
): void {
  if (method !== 'GET' || (route !== '/*' && route !== '/') || (status !== 200 && status !== 304)) return;
  if (headers['sec-purpose'] !== undefined || headers.purpose !== undefined) return;
  const path = percentDecoded(url.replace(/\?.*$/s, ''));
  tally.read(path === '/' ? store.settings.current().home : path);
}
