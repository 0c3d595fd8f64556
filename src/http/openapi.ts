/**
 * Generates the OpenAPI 3.1 document from the routes, whose schemas are JSON Schema. Schemas with a title become components;
 * problems become responses by status, from the table of problems.
 */
import type { FastifySchema, RouteOptions } from 'fastify';
import type { ProblemCode } from '#core/model/problem.ts';
import { scopes } from '#core/ports/credentials.ts';
import { corsOptions } from './headers.ts';
import type { RouteScope } from './identity.ts';
import { ignoredHeader, strictParameter } from './ignored-parameters.ts';
import { rateLimitHeadersOut } from './limits.ts';
import { internalProblem, problemKinds } from './problems.ts';
import { isReadByProposal, proposalParameter } from './proposal-view.ts';
import { ProblemBody } from './schemas/problem.ts';
import type { HeaderDescription } from './schemas/route.ts';
import type { Schema } from './schemas/validate.ts';
import type { AccessKind } from './service.ts';

type Json = Record<string, unknown>;

export function openApiDocument(routes: RouteOptions[], version: string): Json {
  const components = new Map<string, Json>();
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const { schema } = route;
    if (!schema || schema.hide) continue;
    for (const method of [route.method].flat()) {
      // HEAD is available wherever GET is.
      if (method === 'HEAD') continue;
      const path = route.url.replace(/:(\w+)(\(.*?\))?/g, '{$1}').replace(/\*$/, '{path}');
      paths[path] = { ...paths[path], [method.toLowerCase()]: operation(route, schema, components) };
    }
  }
  hoist(ProblemBody as Schema, components);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Coppice',
      version,
      summary: 'A tree of wiki pages with history, permissions, tags, places, files and links.',
      description: [
        'Reading and searching work without a token. With a token, a member also sees pages that are not public.',
        'A page path is always the end of the URL, percent-encoded once, with its slashes unencoded: the page `/a/b c` is read at `/v1/pages/a/b%20c`.',
        'Every response has `X-Request-Id`. Every refusal is `application/problem+json` (RFC 9457). HEAD works wherever GET does; OPTIONS works everywhere, from every origin.',
        'Query parameters that an operation does not have are ignored, and the response header `Coppice-Ignored-Parameters` lists them. With `strict=1` they are refused.',
        `Bodies may be JSON or urlencoded forms; page bodies also multipart/form-data. Headers exposed to scripts of other origins: ${corsOptions.exposedHeaders.join(', ')}.`,
      ].join('\n\n'),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This server.' }],
    tags: tags.map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'A token from `POST /v1/members/auth`, valid for 15 minutes, opaque and encrypted; or an API token, `cop_…`, from `POST /v1/tokens`. An API token needs the scope that the operation names. Operations that name no scope cannot be called with API tokens.',
        },
      },
      schemas: Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
      examples: mapValues(problemKinds, ({ status, title, meaning, example }, code) => ({
        summary: meaning,
        value: { type: `/v1/docs#problem-${code}`, title, status, detail: example },
      })),
    },
  };
}

const { problems: problemsOfView, ...proposalOfRead } = proposalParameter;

const tags = [
  ['Pages', 'Creating, editing, searching and reading pages.'],
  ['Documents', 'Bodies as documents of a visual editor, and edits of them.'],
  ['History', 'Listing, comparing and restoring changes.'],
  ['Proposals', 'Proposed changes, their reviews, and rules that ask for them.'],
  ['Trash', 'Deleting and restoring pages.'],
  ['Groups', 'Groups of members. The second digit of a page’s permissions applies to its group.'],
  ['Settings', 'Settings of the site, which administrators can change while it runs.'],
  ['Tree', 'Pages beneath other pages.'],
  ['Translations', 'Pages in several languages.'],
  ['Links', 'Links to pages that do not exist yet, and links to a page.'],
  ['Places', 'Pages with a location.'],
  ['Updates', 'Latest changes.'],
  ['Events', 'Events of pages, for programs that follow the wiki.'],
  ['Webhooks', 'Addresses to which events are sent.'],
  ['Export', 'Everything that the caller may read, in one file.'],
  ['Import', 'Importing other wikis by upload, with progress and a certificate. For administrators.'],
  ['Paths', 'Whether a path can be used.'],
  ['Likes', 'Likes of pages by members.'],
  ['Files', 'Attached files.'],
  ['Members', 'Signing in and inviting others.'],
  ['Audit', 'Log of changes to accounts, rights and pages, for administrators.'],
  ['Batches', 'Several operations in one request.'],
  ['Comments', 'Comments on pages and on words of pages.'],
  ['Drafts', 'Texts that a member has not saved yet. Nobody else sees them.'],
  ['Favourites', 'Pages that a member starred. Nobody else sees the list.'],
  ['Watching', 'Pages, tags and searches that members watch, and their notifications.'],
  ['Mail', 'Unsent mail, for administrators.'],
  ['Running', 'For operators of the server.'],
] as const;

/** Every shared response has an entity tag and supports conditional requests. */
const tagged = {
  headersIn: {
    'If-None-Match': {
      description: 'ETag of an earlier response. The status is 304 if the response has not changed.',
      example: '"Zm9vYmFy"',
    },
  },
  headersOut: { ETag: { description: 'Changes whenever the response does.', example: '"Zm9vYmFy"' } },
  others: { 304: 'The response still has the ETag that `If-None-Match` names.' },
} satisfies FastifySchema;

/** Whether members may repeat the operation with an idempotency key. */
function isRepeatable({ method, config }: RouteOptions): boolean {
  return (config?.access ?? 'none') !== 'none' && (method === 'POST' || method === 'DELETE');
}

const idempotencyKey = {
  headersIn: {
    'Idempotency-Key': {
      description:
        'Chosen by the client for this request, such as a UUID. If the response was lost and the request is sent again within a day, the first response is returned again.',
      example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
    },
  },
  headersOut: {
    'Idempotency-Replayed': {
      description:
        '`true` if this is the stored response to an earlier request with the same `Idempotency-Key`.',
      example: 'true',
    },
  },
  problems: ['idempotency-in-progress', 'idempotency-answer-lost', 'idempotency-mismatch'],
} as const;

function operation(route: RouteOptions, declared: FastifySchema, components: Map<string, Json>): Json {
  const { headersIn, headersOut, others } = (route.config?.isShared ? tagged : {}) as FastifySchema;
  const takesKey = isRepeatable(route);
  const schema: FastifySchema = {
    ...declared,
    headersIn: { ...headersIn, ...declared.headersIn, ...(takesKey ? idempotencyKey.headersIn : {}) },
    headersOut: {
      ...headersOut,
      ...declared.headersOut,
      ...ignoredHeader,
      ...(takesKey ? idempotencyKey.headersOut : {}),
      ...(route.method === 'GET' ? {} : rateLimitHeadersOut),
    },
    others: { ...others, ...declared.others },
  };
  const access: AccessKind = route.config?.access ?? 'none';
  const takesMultipart = schema.takesMultipart ?? false;
  const body = schema.body as Schema | undefined;
  return {
    operationId: schema.operationId,
    tags: schema.tags,
    summary: schema.summary,
    description: schema.description,
    // OpenAPI: an empty requirement makes the others optional.
    security: securityOf(access, route.config?.scope),
    ...parameters(route, schema, components),
    ...(body ? { requestBody: requestBody(body, takesMultipart, components) } : {}),
    responses: responses(route, schema, components),
  };
}

/**
 * OpenAPI 3.1 has a place for the roles of a bearer token, which holds the scope. An operation without scope is for members who
 * signed in.
 */
function securityOf(access: AccessKind, scope: RouteScope | undefined): Json[] {
  if (access === 'none') return [];
  const needed = { token: scope === undefined ? [] : scope === 'any' ? scopes : [scope] };
  return access === 'optional' ? [{}, needed] : [needed];
}

function parameters(route: RouteOptions, schema: FastifySchema, components: Map<string, Json>): Json {
  const list: Json[] = [];
  for (const [place, part] of [
    ['path', schema.params],
    ['query', schema.querystring],
  ] as const) {
    const { properties = {}, required = [] } = (part ?? {}) as Schema;
    for (const [name, field] of Object.entries(properties)) {
      const { description, examples, ...rest } = field;
      list.push({
        name,
        in: place,
        required: place === 'path' || required.includes(name),
        description,
        schema: hoist({ ...rest }, components),
        example: exampleOf(field),
      });
    }
  }
  for (const [name, { description, example }] of Object.entries(schema.headersIn ?? {})) {
    list.push({ name, in: 'header', required: false, description, schema: { type: 'string' }, example });
  }
  const others = isReadByProposal(route) ? [proposalOfRead, strictParameter] : [strictParameter];
  return { parameters: [...list, ...others] };
}

function requestBody(body: Schema, takesMultipart: boolean, components: Map<string, Json>): Json {
  const media = { schema: hoist(body, components), example: exampleOf(body) };
  return {
    required: (body.required ?? []).length > 0,
    description: body.description,
    content: {
      'application/json': media,
      'application/x-www-form-urlencoded': media,
      ...(takesMultipart ? { 'multipart/form-data': { schema: multipartSchema(body, components) } } : {}),
    },
  };
}

/** Forms send objects as JSON; files are separate parts. */
function multipartSchema(body: Schema, components: Map<string, Json>): Json {
  const { files: _, ...fields } = body.properties ?? {};
  const binary = (description: string) => ({
    type: 'array',
    description,
    items: { type: 'string', contentMediaType: 'application/octet-stream' },
  });
  return {
    type: 'object',
    description: 'Each field as a form part with its name; objects as JSON.',
    properties: {
      ...mapValues(fields, (field) => hoist(field, components)),
      file: binary('Files to attach. The part may be repeated.'),
      thumbnail: binary('Thumbnails, in the order of the files.'),
    },
  };
}

function responses(route: RouteOptions, schema: FastifySchema, components: Map<string, Json>): Json {
  const access = route.config?.access;
  const answers = schema.response as Record<number, Schema> | undefined;
  const success = answers?.[200];
  const result: Json = {};
  if (success) {
    const contentType = schema.contentType ?? 'application/json';
    result[200] = {
      description: success.description ?? 'Done.',
      headers: headersOf(schema.headersOut ?? {}),
      content: {
        [contentType]: { schema: hoist(success, components), example: exampleOf(success) },
        ...mapValues(schema.otherTypes ?? {}, (example) => ({ schema: { type: 'string' }, example })),
      },
    };
  }
  const accepted = answers?.[202];
  if (accepted)
    result[202] = {
      description: accepted.description ?? 'Accepted.',
      content: { 'application/json': { schema: hoist(accepted, components), example: exampleOf(accepted) } },
    };
  const content = (result[200] as { content?: Json } | undefined)?.content;
  for (const [status, description] of Object.entries(schema.others ?? {}))
    result[status] = { description, ...(status === '206' ? { content } : {}) };
  // Malformed URLs and foreign hosts are refused for all operations.
  const codes = new Set<ProblemCode>(['invalid']);
  if (access === 'required') codes.add('unauthenticated');
  for (const code of [...(schema.problems ?? []), 'misdirected'] as const) codes.add(code);
  if (access === 'required') codes.add('blocked');
  if (access && access !== 'none') codes.add('insufficient-scope');
  if (codes.has('not-permitted') || schema.operationId === 'createPage') codes.add('protected');
  if (isReadByProposal(route)) for (const code of problemsOfView) codes.add(code);
  if (isRepeatable(route)) for (const code of idempotencyKey.problems) codes.add(code);
  // Identifying the caller needs the database.
  if (access) codes.add('unavailable');
  if (access && route.method === 'GET') codes.add('timeout');
  if (route.method !== 'GET')
    for (const code of ['unsupported-media-type', 'too-large', 'too-many-requests'] as const) codes.add(code);
  const byStatus = Map.groupBy(codes, (code) => problemKinds[code].status);
  const answer = (codes: ProblemCode[]) => problemResponse(codes, schema.problemsAsPages);
  for (const [status, group] of byStatus) result[status] = answer(group);
  result[500] ??= {
    ...answer([]),
    description: 'Internal error. The response has a request ID and no internal details.',
  };
  return result;
}

function problemResponse(codes: ProblemCode[], asPages = false): Json {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const);
  const headers: Record<string, HeaderDescription> = {};
  if (codes.some((code) => problemKinds[code].status === 401)) {
    headers['WWW-Authenticate'] = { description: 'Ways to authenticate.', example: 'Bearer' };
  }
  if (codes.some((code) => [429, 503].includes(problemKinds[code].status))) {
    headers['Retry-After'] = { description: 'Seconds to wait before trying again.', example: '42' };
  }
  return {
    description: codes.map((code) => problemKinds[code].meaning).join(' Or: '),
    ...(Object.keys(headers).length > 0 ? { headers: headersOf(headers) } : {}),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        ...(examples.length > 0 ? { examples: Object.fromEntries(examples) } : { example: internalExample }),
      },
      ...(asPages ? { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>…' } } : {}),
    },
  };
}

const internalExample = internalProblem('0198c1d2-7a3e-7cc1-b1e4-9d5f1f2b8a6c');

function headersOf(headers: Readonly<Record<string, HeaderDescription>>): Json {
  return mapValues(headers, ({ description, example }) => ({
    description,
    schema: { type: 'string' },
    example,
  }));
}

/** Replaces every titled schema within a schema by a reference to its component. */
function hoist(schema: Schema, components: Map<string, Json>): Json {
  const inner: Json = { ...schema };
  if (schema.anyOf) inner.anyOf = schema.anyOf.map((one) => hoist(one, components));
  if (schema.items) inner.items = hoist(schema.items, components);
  for (const part of ['properties', 'patternProperties'] as const) {
    const fields = schema[part];
    if (fields) inner[part] = mapValues(fields, (field) => hoist(field, components));
  }
  if (schema.title === undefined) return inner;
  const known = components.get(schema.title);
  if (known && JSON.stringify(known) !== JSON.stringify(inner))
    throw new Error(`Two schemas are called ${schema.title}.`);
  components.set(schema.title, inner);
  return { $ref: `#/components/schemas/${schema.title}` };
}

/** An example built from the examples of its parts. */
function exampleOf(schema: Schema): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0]);
  if (schema.items) return [exampleOf(schema.items)];
  if (schema.properties) return mapValues(schema.properties, exampleOf);
  return schema.type === 'object' ? {} : null;
}

function mapValues<Value>(
  named: Readonly<Record<string, Value>>,
  make: (value: Value, name: string) => unknown,
): Json {
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [name, make(value, name)]));
}
