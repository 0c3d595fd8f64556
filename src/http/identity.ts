/**
 * Identifies the caller: by a session token, or by an API token, whose limits are compared with the route's declaration. The
 * token is read before the body, so that callers without one cannot make the server receive an upload. Permissions are decided
 * by the core.
 */
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '#core/model/permission.ts';
import { Problem } from '#core/model/problem.ts';
import type { SubtreeRelation } from '#core/operations/operation.ts';
import { refuseToken } from '#core/operations/token-scope.ts';
import { type ApiToken, type Scope, subtreeScopes } from '#core/ports/credentials.ts';
import { identify } from '#core/sign-in/sign-in.ts';
import { isReadByProposal, type ProposalViews } from './proposal-view.ts';
import type { Server, Service } from './service.ts';

type Identifying = Pick<Service, 'store' | 'tokens' | 'apiTokens' | 'sessions' | 'clock'>;

/** `identified`: the request of a batch whose caller is also that of the current one. */
export function registerIdentity(
  server: Server,
  service: Identifying,
  identified: () => FastifyRequest | undefined,
  views: Pick<ProposalViews, 'current'>,
): void {
  server.decorateRequest('actor', null);
  server.decorateRequest('signedIn', undefined);
  server.decorateRequest('apiToken', undefined);
  // Request objects are never shared, so a property is safe.
  server.decorateRequest('reader');
  server.addHook('onRoute', ({ method, url, config }) => checkDeclared(`${method} ${url}`, config));
  server.addHook('onRequest', async (request, reply) => {
    // Settings decide who may read. Probes of the process are answered although every connection is taken.
    const isProbe = /^\/(?:healthz|readyz|metrics)$/.test(request.routeOptions.url ?? '');
    const changed = isProbe ? undefined : service.store.settings.refresh();
    if (changed) await changed;
    request.reader = service.store.readAs(null);
    const { access = 'none', scope, subtree } = request.routeOptions.config ?? {};
    if (access === 'none') return;
    const batch = identified();
    const view = views.current();
    // Its token was compared with the route when the view began.
    if (view) request.actor = view.request.actor;
    else if (batch) {
      request.actor = batch.actor;
      request.signedIn = batch.signedIn;
      request.apiToken = batch.apiToken;
    }
    // The site's cookie may have identified the caller already.
    else if (request.signedIn) request.actor = request.signedIn.actor;
    else await readActor(service, request, reply);
    if (request.actor) request.reader = service.store.readAs(request.actor);
    const hasSent = request.headers.authorization !== undefined;
    if (request.actor === null && (access === 'required' || (access === 'bearer' && hasSent))) {
      throw new Problem('unauthenticated', 'This needs a valid token. Send Authorization: Bearer <token>.', {
        ...(hasSent ? { details: { tokenSent: true } } : {}),
      });
    }
    if (isPreview(request)) return;
    if (scope !== 'any') refuseToken(request.apiToken, { scope, subtree });
  });
}

/** Fails at start for a route that says nothing about tokens limited to a subtree, so that no operation can forget them. */
function checkDeclared(route: string, { scope, subtree }: FastifyContextConfig = {}): void {
  if (scope === undefined || scope === 'any') return;
  if (subtree === undefined) throw new Error(`${route} has a scope, but does not declare \`subtree\`.`);
  if (subtree === 'within' && !subtreeScopes.includes(scope))
    throw new Error(`${route}: no token limited to a subtree can have the scope “${scope}”.`);
}

/**
 * Whether a token with the scope `preview` may read it: what tokens limited to a subtree may read, too, which is nothing that belongs to
 * its member alone. What it is shown is decided by the view, for its member.
 */
function isPreview({ apiToken, routeOptions, method, query }: FastifyRequest): boolean {
  if (!apiToken?.scopes.includes('preview')) return false;
  const isOfPages = routeOptions.config?.subtree === 'within';
  return (
    method === 'GET' &&
    isOfPages &&
    Object.hasOwn(query as object, 'proposal') &&
    isReadByProposal(routeOptions)
  );
}

/** `any`: the route runs other operations, each of which checks its own scope. */
export type RouteScope = Scope | 'any';

async function readActor(
  { tokens, apiTokens, sessions, clock }: Identifying,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const header = request.headers.authorization;
  if (header === undefined) return;
  // RFC 9110 §11.1: the scheme is case-insensitive.
  const token = /^bearer +([\w.~+/-]+=*) *$/i.exec(header)?.[1] ?? '';
  if (token.startsWith('cop_')) {
    const bearer = await apiTokens.find(token, clock(), request.ip);
    request.apiToken = bearer?.token;
    request.actor = bearer?.actor ?? null;
  } else {
    const found = token === '' ? undefined : await identify({ tokens, sessions, now: clock() }, token);
    // The site's cookie lives long, so it is not accepted as a bearer token, which is valid for 15 minutes.
    if (found && !found.claims.isCookie) request.signedIn = found;
    request.actor = request.signedIn?.actor ?? null;
  }
  if (request.actor === null) reply.header('www-authenticate', 'Bearer error="invalid_token"');
}

/** Whether the actor's credential is still valid, with the same rights. */
export async function isStillActor(
  { apiTokens, sessions, clock }: Identifying,
  { actor, signedIn, apiToken, headers, ip }: FastifyRequest,
): Promise<boolean> {
  const secret = /^bearer +(\S+)/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const found = signedIn
    ? await sessions.find(signedIn.claims, clock(), false)
    : apiToken && (await apiTokens.find(secret, clock(), ip));
  const rightsOf = (actor: Actor | undefined) =>
    JSON.stringify([actor?.memberId, actor?.isAdmin, actor?.role, actor?.groupIds ?? []]);
  return rightsOf(found?.actor) === rightsOf(actor);
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Scope that an API token needs. A route without a scope is only for members who signed in. */
    scope?: RouteScope;
    /** Required beside a scope. */
    subtree?: SubtreeRelation;
  }
  interface FastifyRequest {
    /** Set if the actor was identified by an API token. */
    apiToken: ApiToken | undefined;
  }
}
