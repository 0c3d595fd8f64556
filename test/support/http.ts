/**
 * The real application for HTTP tests: real store, files and tokens, injected requests. Every response is checked against what
 * its route declares: status, media type, and the JSON schema, with no extra fields.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import pino from 'pino';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { expect } from 'vitest';
import { type Config, readConfig } from '#config/config.ts';
import { addMember } from '#core/members/manage-members.ts';
import type { Siblings } from '#http/service.ts';
import type { CpuLimits } from '#markup/language.ts';
import { type App, buildApp } from '#run/app.ts';
import { passphraseCost } from './passphrase-cost.ts';
import { beginSqlite, type EngineName, emptiedPostgres } from './postgres.ts';
import { tokenFor } from './sessions.ts';

export interface TestApp {
  app: App;
  /** Configuration for another process to serve the same wiki. */
  config: Config;
  logger: pino.Logger;
  /** Data folder. */
  folder: string;
  /** Undefined on SQLite. */
  databaseUrl: string | undefined;
  /** Log lines, in JSON. */
  logged: string[];
  /** Sends a request and checks the response against the schema of its route. */
  call(method: Method, url: string, options?: CallOptions): Promise<Answer>;
  /** Makes a member with a token. */
  member(
    name: string,
    options?: { isAdmin?: boolean },
  ): Promise<{ id: number; token: string; email: string }>;
  /** Creates a page with this token, or fails the test. */
  page(token: string, fields: Record<string, unknown>): Promise<PageAnswer>;
  close(): Promise<void>;
}

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

export interface CallOptions {
  token?: string;
  json?: unknown;
  form?: Record<string, string>;
  body?: string | Buffer;
  headers?: Record<string, string>;
  /** Allows internal errors, which otherwise fail the test and show their cause. */
  mayFail?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: tests compare what is in an answer, whatever its type.
type Loose = any;
export type PageAnswer = Record<string, Loose> & { id: number; path: string };

export interface Answer {
  status: number;
  headers: LightMyRequestResponse['headers'];
  text: string;
  json: Loose;
}

/** For `describe.each`: every operation behaves the same on both engines. */
export const engines: EngineName[] = ['SQLite', 'PostgreSQL'];

export async function startApp(
  environment: Record<string, string> = {},
  more: {
    clock?: () => number;
    engine?: EngineName;
    cpuLimits?: Partial<CpuLimits>;
    proofCost?: number;
    siblings?: Siblings;
  } = {},
): Promise<TestApp> {
  const folder = mkdtempSync(join(tmpdir(), 'coppice-http-'));
  const postgres = more.engine === 'PostgreSQL' ? await emptiedPostgres() : undefined;
  if (!postgres && environment.COPPICE_DATA === undefined) await beginSqlite(folder);
  const config = readConfig({
    COPPICE_DATA: folder,
    COPPICE_RATE_LIMIT: 'off',
    // Makes the server reachable by any name.
    HOST: '0.0.0.0',
    DATABASE_URL: postgres?.url,
    ...environment,
  });
  const logged: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
  const { engine: _, siblings, ...overrides } = more;
  const app = await buildApp(config, { logger, passphraseCost, ...overrides }, siblings);
  await app.server.ready();
  const clock = more.clock ?? Date.now;
  const { store, passphrases, tokens } = app.service;

  const call: TestApp['call'] = async (method, url, options = {}) => {
    const answer = answerOf(await app.server.inject(requestOf(method, url, options)));
    if (answer.json?.type === '/v1/docs#problem-internal' && !options.mayFail) {
      expect.fail(
        `${method} ${url} met a bug: ${logged.findLast((line) => line.includes('unhandled error'))}`,
      );
    }
    checkStatus(app, method, url, answer);
    checkAnswer(app, method, url, answer);
    return answer;
  };
  return {
    app,
    config,
    logger,
    folder,
    databaseUrl: postgres?.url,
    logged,
    call,
    async member(name, { isAdmin = false } = {}) {
      const local = name
        .toLowerCase()
        .replaceAll(' ', '.')
        .replace(/[[\]<>"(),:;@\\]/g, '');
      const email = `${local}@example.org`;
      const made = await addMember(store, passphrases, { email, name, passphrase: null, isAdmin }, clock());
      const token = await tokenFor({ store, tokens }, made.id, { now: clock() });
      return { id: made.id, token, email };
    },
    async page(token, fields) {
      const answer = await call('POST', '/v1/pages', { token, json: fields });
      expect(answer.status, answer.text).toBe(200);
      return answer.json;
    },
    async close() {
      await app.close();
      await postgres?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function requestOf(method: Method, url: string, options: CallOptions): InjectOptions {
  const { token, json, form, body, headers = {} } = options;
  const content: { payload?: string | Buffer; type?: string } =
    json !== undefined
      ? { payload: JSON.stringify(json), type: 'application/json' }
      : form !== undefined
        ? { payload: new URLSearchParams(form).toString(), type: 'application/x-www-form-urlencoded' }
        : body !== undefined
          ? { payload: body }
          : {};
  return {
    method,
    url,
    ...(content.payload === undefined ? {} : { payload: content.payload }),
    headers: {
      ...(content.type ? { 'content-type': content.type } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
  };
}

export function answerOf(response: LightMyRequestResponse): Answer {
  const text = response.body;
  const isJson = /json(?:;|$)/.test(String(response.headers['content-type'] ?? '')) && text !== '';
  return {
    status: response.statusCode,
    headers: response.headers,
    text,
    json: isJson ? JSON.parse(text) : undefined,
  };
}

/** A multipart body: text fields and files, in order. */
export function multipartOf(
  parts: { name: string; filename?: string; type?: string; value: string | Buffer }[],
): {
  body: Buffer;
  headers: Record<string, string>;
} {
  const boundary = `----${randomBytes(12).toString('hex')}`;
  const pieces: Buffer[] = [];
  for (const { name, filename, type, value } of parts) {
    const disposition = `form-data; name="${name}"${filename === undefined ? '' : `; filename="${filename}"`}`;
    const contentType = type === undefined ? '' : `\r\nContent-Type: ${type}`;
    pieces.push(
      Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}${contentType}\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    );
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    body: Buffer.concat(pieces),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

export type OpenApi = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema>; examples: Record<string, unknown> };
};

export interface Operation {
  operationId: string;
  security: Record<string, unknown>[];
  parameters?: {
    name: string;
    in: string;
    required: boolean;
    schema: JsonSchema;
    example?: unknown;
    description?: string;
  }[];
  requestBody?: { required: boolean; content: Record<string, { schema: JsonSchema; example?: unknown }> };
  responses: Record<
    string,
    {
      description: string;
      content?: Record<string, { schema: JsonSchema; example?: unknown; examples?: unknown }>;
    }
  >;
}

export interface JsonSchema {
  $ref?: string;
  type?: string;
  title?: string;
  description?: string;
  examples?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  required?: string[];
  [key: string]: unknown;
}

let common: OpenApi | undefined;
const others = new WeakMap<App, OpenApi>();

/** One document for all apps, as no setting changes it (`test/openapi.test.ts`). */
export function documentOf(app: App): OpenApi {
  common ??= app.openApi() as unknown as OpenApi;
  return others.get(app) ?? common;
}

/** Checks the responses of `app` against another document. */
export function holdAgainst(app: App, document: OpenApi): void {
  others.set(app, document);
}

const checkers = new Map<string, { Check(value: unknown): boolean; Errors(value: unknown): unknown[] }>();

/** Paths of a document as patterns; literal segments win over parameters. */
const templates = new WeakMap<OpenApi, { pattern: RegExp; operations: Record<string, Operation> }[]>();

/** Operation in the document for a URL. */
function operationOf(document: OpenApi, method: string, url: string): Operation | undefined {
  // Path as the injecting client sends it, with dot segments already resolved.
  const path = new URL(url, 'http://localhost').pathname;
  const literal = document.paths[path];
  if (literal) return literal[method.toLowerCase()];
  const known = templates.get(document) ?? templatesOf(document);
  templates.set(document, known);
  const found = known.find(
    ({ pattern, operations }) => operations[method.toLowerCase()] && pattern.test(path),
  );
  return found?.operations[method.toLowerCase()];
}

function templatesOf(document: OpenApi) {
  return Object.entries(document.paths)
    .sort(([a], [b]) => a.split('{').length - b.split('{').length || b.length - a.length)
    .map(([template, operations]) => ({ pattern: patternOf(template), operations }));
}

function patternOf(template: string): RegExp {
  const literal = template.replace(/[.]/g, '\\.');
  return new RegExp(`^${literal.replace(/\{path\}$/, '.+').replace(/\{\w+\}/g, '[^/]+')}/?$`);
}

/** Checks that the status and media type are declared. */
function checkStatus(app: App, method: Method, url: string, answer: Answer): void {
  const type = String(answer.headers['content-type'] ?? '').split(';', 1)[0] ?? '';
  const document = documentOf(app);
  const operation = operationOf(document, method === 'HEAD' ? 'GET' : method, url);
  if (operation) {
    const declared = operation.responses[answer.status];
    if (!declared) expect.fail(`${method} ${url} answers ${answer.status}, which it does not declare.`);
    const types = Object.keys(declared.content ?? {});
    if (answer.text !== '' && !types.includes(type) && !types.includes('*/*'))
      expect.fail(`${method} ${url} answers ${answer.status} with ${type}, which it does not declare.`);
  }
}

function checkAnswer(app: App, method: Method, url: string, answer: Answer): void {
  if (answer.json === undefined || method === 'HEAD') return;
  const type = String(answer.headers['content-type']).split(';', 1)[0] ?? '';
  const document = documentOf(app);
  const operation = operationOf(document, method, url);
  const schema =
    type === 'application/problem+json'
      ? ({ $ref: '#/components/schemas/Problem' } as JsonSchema)
      : operation?.responses[answer.status]?.content?.[type]?.schema;
  if (!schema) return;
  // Pages have only the requested fields.
  const isPartial = url.includes('fields=');
  const key = JSON.stringify([schema, isPartial]);
  const checker = checkers.get(key) ?? Compile(closed(schema, document, isPartial) as TSchema);
  checkers.set(key, checker);
  if (!checker.Check(answer.json)) {
    expect.fail(
      `${method} ${url} answers something else than it declares: ${JSON.stringify(checker.Errors(answer.json).slice(0, 5))}\n${answer.text.slice(0, 2000)}`,
    );
  }
}

/** Resolves references and forbids undeclared fields. */
export function closed(schema: JsonSchema, document: OpenApi, isPartial = false): JsonSchema {
  if (schema.$ref) {
    const target = document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    if (!target) throw new Error(`No schema ${schema.$ref}.`);
    return closed(target, document, isPartial);
  }
  const inner: JsonSchema = { ...schema };
  if (isPartial) delete inner.required;
  if (schema.anyOf) inner.anyOf = schema.anyOf.map((one) => closed(one, document, isPartial));
  if (schema.items) inner.items = closed(schema.items, document, isPartial);
  if (schema.properties) {
    inner.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [name, closed(field, document, isPartial)]),
    );
    inner.additionalProperties = false;
  }
  return inner;
}
