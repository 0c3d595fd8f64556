/**
 * Parses bodies: JSON and forms yield the same object of fields. Strings that no database could store and excessive nesting are
 * refused here, for all fields.
 */

import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { invalid, Problem } from '#core/model/problem.ts';
import { say } from '#words/say.ts';
import { formParameters, maxParameters } from '../parameters.ts';
import { readFields, type Schema } from '../schemas/validate.ts';
import type { Server } from '../service.ts';
import { textOf } from './file-parts.ts';
import {
  hasMoreValues,
  type JsonLimits,
  type Keep,
  maxNesting,
  notWhole,
  putFiles,
  readJson,
  tooDeep,
  tooLarge,
} from './json.ts';

/** Parsers for operations without files. */
export async function registerBodies(server: Server, terms?: JsonTerms): Promise<void> {
  registerParsers(server, terms);
  server.addHook('preValidation', async (request) => {
    const schema = request.routeOptions.schema?.body as TSchema | undefined;
    if (schema) request.body = fieldsOf(request, schema);
  });
}

/** Maximum size of a body that is read as a whole. */
const smallBytes = 65_536;

/** Fields as parsed from JSON, not validated yet. */
type Fields = { files?: unknown } | null;

/** Limits for JSON and the storage for its files; called once for each body. */
type JsonTerms = (request: FastifyRequest) => { limits: JsonLimits; keep?: Keep };

/** Limits of the route, without files or free-form data. */
const plainTerms: JsonTerms = ({ routeOptions: { bodyLimit } }) => ({
  limits: { bytes: bodyLimit, textBytes: bodyLimit, values: maxParameters },
});

/** Registers JSON and urlencoded forms as the only types. */
export function registerParsers(server: Server, termsFor = plainTerms): void {
  // RFC 9110 §15.5.16: compressed bodies are refused, because they would be misread.
  server.addHook('preParsing', async ({ headers }) => {
    if (/^(identity)?$/i.test(headers['content-encoding'] ?? '')) return;
    throw new Problem('unsupported-media-type', say('problem.sendTheBodyWithoutContentEncoding'));
  });
  registerJson(server, termsFor);
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => readForm(body),
  );
}

function registerJson(server: Server, termsFor: JsonTerms): void {
  // `__proto__` and `constructor.prototype` are dropped like other unknown fields.
  const parse = server.getDefaultJsonParser('remove', 'remove');
  server.removeContentTypeParser(['application/json', 'text/plain']);
  async function fieldsIn(request: FastifyRequest, text: string | undefined): Promise<Fields> {
    if (text === undefined) throw invalid('', say('problem.theBodyIsNotUtf8'));
    if (text.trim() === '') return {};
    return new Promise((resolve, reject) => {
      parse(request, text, (error, fields) => (error ? reject(error) : resolve(fields)));
    });
  }

  server.addContentTypeParser('application/json', async (request: FastifyRequest, payload: Readable) => {
    const { limits, keep } = termsFor(request);
    const length = Number(request.headers['content-length']);
    let json = payload;
    try {
      if (length > limits.bytes) throw tooLarge(limits.bytes);
      if (length <= smallBytes) {
        const body = await readWhole(payload);
        // If there are too many values, the streaming reader decides whether they are bytes of files.
        if (!hasMoreValues(body, limits.values)) {
          const fields = await fieldsIn(request, textOf([body]));
          if (fields?.files === undefined || !keep) return fields;
        }
        json = Readable.from([body]);
      }
      const { text, blobs } = await readJson(json, limits, keep);
      const fields = await fieldsIn(request, text);
      putFiles(fields, blobs);
      return fields;
    } catch (error) {
      // The connection is closed after the response, which a client that is still sending would never see.
      if (length <= limits.bytes)
        await finished(payload.resume(), { writable: false }).catch(() => undefined);
      throw error;
    }
  });
}

/** Reads a small body at once: streaming would take a twentieth of the time of an edit. */
function readWhole(payload: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  return new Promise((resolve, reject) => {
    payload
      .on('data', (piece) => pieces.push(piece))
      .on('end', () => resolve(Buffer.concat(pieces)))
      .on('error', (cause) => reject(notWhole(cause)));
  });
}

/** Repeated fields become lists. */
function readForm(body: Buffer): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of formParameters(body)) {
    if (name in Object.prototype) continue;
    const before = fields[name];
    if (before === undefined) fields[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else fields[name] = [before, value];
  }
  return fields;
}

export function isForm({ headers }: FastifyRequest): boolean {
  return /^application\/x-www-form-urlencoded/i.test(headers['content-type'] ?? '');
}

/**
 * The body as an object with only the schema's fields; an empty body has none. `maxValues`: as in `readFields`. Refuses
 * `invalid`.
 */
export function fieldsOf(
  request: FastifyRequest,
  schema: TSchema,
  maxValues?: number,
): Record<string, unknown> {
  const body = request.body ?? {};
  if (typeof body !== 'object' || Array.isArray(body))
    throw invalid('', say('problem.theBodyMustBeAnObjectOf'));
  const given = body as Record<string, unknown>;
  const fields = isForm(request) ? readFields(schema, given, maxValues) : knownFields(schema, given);
  refuseUnstorable(fields);
  return fields;
}

/** Drops unknown fields, regardless of their number. */
function knownFields(schema: TSchema, given: Record<string, unknown>): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const name of Object.keys((schema as Schema).properties ?? {}))
    if (Object.hasOwn(given, name)) known[name] = given[name];
  return known;
}

/** Refuses unpaired surrogates and NUL (which PostgreSQL text cannot store) and nesting beyond 100 levels. Iterative. */
export function refuseUnstorable(fields: Record<string, unknown>): void {
  let level: { pointer: string; value: unknown }[] = Object.entries(fields).map(([name, value]) => {
    refuseText('', name);
    return { pointer: `/${name.slice(0, 64)}`, value };
  });
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxNesting) throw tooDeep(level[0]?.pointer ?? '');
    const next: typeof level = [];
    for (const { pointer, value } of level) {
      if (typeof value === 'string') refuseText(pointer, value);
      else if (typeof value === 'object' && value !== null && !(value instanceof Uint8Array)) {
        for (const [name, inner] of Object.entries(value)) {
          // Numbers, such as the bytes of a Buffer, need no check.
          if (typeof inner === 'number') continue;
          if (!Array.isArray(value)) refuseText(pointer, name);
          next.push({ pointer, value: inner });
        }
      }
    }
    level = next;
  }
}

function refuseText(pointer: string, text: string): void {
  if (!text.isWellFormed() || text.includes('\0')) {
    throw invalid(pointer, say('problem.theTextMustBeWellFormedUnicode'));
  }
}
