/**
 * Routes of operations. A feature declares method and path; schema, access, token scope and audit kinds are those of the operation.
 * Fields of the input that stand in the path are path parameters, a `*` the field `path`; the others are the query of GET and DELETE,
 * and the body of the others.
 */

import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RouteOptions,
} from 'fastify';
import { type TObject, type TSchema, type TSchemaOptions, Type } from 'typebox';
import type { Renderer } from '#core/content/render.ts';
import type { OpenFile } from '#core/files/open-file.ts';
import type { Actor } from '#core/model/permission.ts';
import type { ProblemCode } from '#core/model/problem.ts';
import { type Carry, carryOutFor, type Wiki } from '#core/operations/carry-out.ts';
import type { Access, Converted, Listed, ListSchema, Operation, Output } from '#core/operations/operation.ts';
import { rangeOf } from '#core/operations/paging.ts';
import type { Store } from '#core/ports/store.ts';
import type { Costs } from './costs.ts';
import type { Limits } from './limits.ts';
import { nextHeader, pagingHeaders, setNext, setPaging } from './lists.ts';
import type { WikiFacts } from './page-json.ts';
import type { ApplyProposal } from './proposal-view.ts';
import { registerSmallForms } from './request-body/small-form.ts';
import { movedAnswer, pathParameter } from './schemas/output.ts';
import type { AccessKind, HttpSettings, Server, Service } from './service.ts';

/** A feature in the API. `tag`: its section in the reference. */
export interface HttpFace {
  tag: string;
  routes: readonly OperationRoute[];
  /** Applies a proposal, for reads with `?proposal=ID`. */
  applyProposal?: ApplyProposal;
  /** Opens a file that is not attached to a page; undefined for names of others, and if the actor may not read it. */
  openFile?(store: Store, actor: Actor, name: string): Promise<OpenFile | undefined>;
}

interface OperationRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  operation: Operation;
  /** For an answer that contains part of a list: length of the list. */
  total?(answer: unknown): number;
  /** For an answer that contains part of a list: the cursor of the next part, if there is one. */
  next?(answer: unknown): string | undefined;
  /** Largest body in bytes, if it may be larger than others. */
  maxBytes?: number;
  /** For an answer that the API shows by a schema of its own, such as a page with the addresses of its files. */
  shown?: Shown<unknown>;
  /** Whether the body may also be a multipart form with small files. */
  takesFiles?: boolean;
  /** Counts the request in this limit, for operations that strangers could use to guess or to send mail. */
  limit?: keyof Limits;
  /** Fields of the input that the face gives. Callers cannot send them. */
  given?: Readonly<Record<string, (request: FastifyRequest, settings: HttpSettings) => unknown>>;
  /** Status of a success, if it is another one than 200 and 204. */
  status?: 202;
  /** Headers of every success. */
  headers?: Readonly<Record<string, string>>;
  /** Costs and caching of the route. */
  config?: Pick<FastifyContextConfig, 'isShared' | 'strangersMs'>;
}

type RouteDetails = Omit<OperationRoute, 'method' | 'url' | 'operation' | 'total' | 'next' | 'shown'>;

interface Shown<Answer> {
  schema: TSchema;
  toJson(answer: Answer, wiki: WikiFacts): unknown;
}

const route =
  (method: OperationRoute['method']) =>
  <Given, Answer>(
    url: string,
    operation: Operation<Given, Answer>,
    options: RouteDetails & {
      total?(answer: Answer): number;
      next?(answer: Answer): string | undefined;
      shown?: Shown<Answer>;
    } = {},
  ): OperationRoute => ({ method, url, operation, ...(options as Partial<OperationRoute>) });

export const get = route('GET');
export const post = route('POST');
export const put = route('PUT');
export const patch = route('PATCH');
export const del = route('DELETE');

/** Configuration of a route that carries out one operation: what the operation declares. */
export function limitsOf(operation: Operation) {
  const { access, scope, subtree, writes, audit } = operation;
  return {
    access: accessKinds[access],
    ...(scope ? { scope, subtree } : {}),
    ...(writes ? { audit } : {}),
    operations: [operation],
  };
}

/** Description of a route that carries out one operation, for routes with a handler of their own. */
export function descriptionOf({ name, summary, description, access, problems = [] }: Operation) {
  return {
    operationId: name,
    summary,
    description,
    problems: [...impliedProblems[access], ...problems],
  };
}

/** Carries out operations for the caller of a request. `renderer`: one that charges the caller. */
export function carryFor(
  wiki: Wiki,
  { actor, apiToken, signedIn, reader }: FastifyRequest,
  renderer?: Renderer,
): Carry {
  return carryOutFor(renderingBy(wiki, renderer), { actor, apiToken, signedIn, reader });
}

export function renderingBy({ store, clock, services }: Wiki, renderer: Renderer | undefined): Wiki {
  return { store, clock, services: renderer ? { ...services, renderer: () => renderer } : services };
}

/** Everything that routes of operations need. */
interface Kernel {
  service: Service;
  settings: HttpSettings;
  costs: Costs;
  limits: Limits;
}

export function registerOperations(
  { server, ...kernel }: Kernel & { server: Server },
  { tag, routes }: HttpFace,
): void {
  for (const route of routes) {
    const made = routeOf(kernel, tag, route);
    if (!route.takesFiles) server.route(made);
    else
      server.register(async (scope) => {
        registerSmallForms(scope as unknown as Server);
        scope.route(made);
      });
  }
}

function routeOf(
  { service, settings, costs, limits }: Kernel,
  tag: string,
  { method, url, operation, total, next, shown, maxBytes, ...details }: OperationRoute,
): RouteOptions {
  const { limit, given: ownFields = {}, status = 200, headers = {}, config } = details;
  const { output } = operation;
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const { schema, toJson, isList } = shown
    ? {
        schema: { response: { [status]: shown.schema } },
        toJson: (value: unknown, wiki: WikiFacts) => shown.toJson(value, wiki),
        isList: false,
      }
    : answerOf(output, status);
  const isPaged = isList || total !== undefined;
  const isByCursor = Object.hasOwn(operation.input.properties, 'cursor');
  const defaultLimit = isPaged ? limitOf(operation.input) : 0;
  return {
    method,
    url,
    ...(maxBytes === undefined ? {} : { bodyLimit: maxBytes }),
    config: {
      ...limitsOf(operation),
      ...(method === 'GET' ? {} : { audit: operation.audit }),
      ...(operation.answersSecret ? { answersSecret: true } : {}),
      ...(operation.waitsForOthers ? { isEndless: true } : {}),
      ...(operation.ports.includes('language') ? { strangersMs: 1 } : {}),
      ...config,
    },
    schema: {
      ...descriptionOf(operation),
      tags: [tag],
      ...inputSchemas(operation.input, url, hasBody, Object.keys(ownFields)),
      ...schema,
      ...(isPaged ? { headersOut: pagingHeaders } : next ? { headersOut: nextHeader } : {}),
      ...(method === 'GET' && url.endsWith('/*') ? { others: movedAnswer } : {}),
    },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      if (limit) await limits[limit](request);
      const given = inputOf(request, hasBody);
      for (const [name, make] of Object.entries(ownFields)) given[name] = make(request, settings);
      const language = () => costs.rendererFor(request, request.actor, true).language;
      const wiki = { ...service, services: { ...service.services, language } };
      const answer = await carryFor(wiki, request)(operation, given as never);
      if (isPaged) {
        const length = total ? total(answer) : (answer as Listed<unknown>).total;
        const range = rangeOf(given, defaultLimit);
        if (!isByCursor) setPaging({ request, reply }, range, length);
        else {
          reply.header('x-total-count', String(length));
          setNext(request, reply, range.limit, (answer as Listed<unknown>).next);
        }
      }
      const cursor = next?.(answer);
      if (cursor !== undefined)
        setNext(request, reply, rangeOf(given, limitOf(operation.input)).limit, cursor);
      reply.headers(headers);
      if (status !== 200) reply.code(status);
      const facts = { baseUrl: settings.baseUrl, language: request.reader.dialect.language };
      return isList
        ? (answer as Listed<unknown>).items.map((item) => toJson(item, facts))
        : toJson(answer, facts);
    },
  };
}

const accessKinds: Record<Access, AccessKind> = {
  unidentified: 'none',
  anyone: 'optional',
  member: 'required',
  self: 'required',
  moderator: 'required',
  administrator: 'required',
};

const impliedProblems: Record<Access, readonly ProblemCode[]> = {
  unidentified: [],
  anyone: [],
  member: [],
  self: [],
  moderator: ['moderators-only'],
  administrator: ['administrators-only'],
};

/** Path parameters last: a body must not replace them. */
function inputOf({ params, query, body }: FastifyRequest, hasBody: boolean): Record<string, unknown> {
  return { ...((hasBody ? body : query) as object), ...(params as object) };
}

function inputSchemas(input: TObject, url: string, hasBody: boolean, hidden: readonly string[]) {
  const isOfPage = url.endsWith('/*');
  const names = isOfPage ? ['path'] : [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const params = isOfPage ? pathParameter() : Type.Pick(input, names);
  const { title, description } = input as TObject & TSchemaOptions;
  const others = Type.Omit(input, [...names, ...hidden], title === undefined ? {} : { title, description });
  const hasOthers = Object.keys(others.properties).length > 0;
  return {
    ...(names.length > 0 ? { params } : {}),
    ...(hasOthers ? { [hasBody ? 'body' : 'querystring']: others } : {}),
  };
}

type ToJson = (value: unknown, wiki: WikiFacts) => unknown;

function answerOf(
  output: Output,
  status: number,
): { schema: FastifySchema; toJson: ToJson; isList: boolean } {
  if ('listed' in output) {
    const { listed, description } = output as ListSchema<TSchema>;
    const { item, toJson } = itemOf(listed);
    return { schema: { response: { 200: Type.Array(item, { description }) } }, toJson, isList: true };
  }
  const { item, toJson } = itemOf(output);
  const { type, description = '' } = item as { type?: string; description?: string };
  const empty = status === 200 ? 204 : status;
  const schema = type === 'void' ? { others: { [empty]: description } } : { response: { [status]: item } };
  return { schema, toJson, isList: false };
}

function itemOf(output: TSchema | Converted<never, TSchema>): { item: TSchema; toJson: ToJson } {
  if (!('toJson' in output)) return { item: output, toJson: (value) => value };
  const { schema, toJson } = output as Converted<unknown, TSchema>;
  return { item: schema, toJson };
}

function limitOf({ properties }: TObject): number {
  return (properties.limit as { default?: number }).default ?? 0;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Operations that the route carries out. */
    operations?: readonly Operation[];
  }
}
