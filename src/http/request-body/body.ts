/**
 * Reads bodies: JSON and forms give the same object of fields. Strings that no database could hold and nesting that
 * no serialiser could follow are refused here, once, whatever field they are in.
 */
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { invalid, Problem } from '#domain/problem.ts';
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

/** For operations that take no files. */
export async function registerBodies(server: Server, terms?: JsonTerms): Promise<void> {
  registerParsers(server, terms);
  server.addHook('preValidation', async (request) => {
    const schema = request.routeOptions.schema?.body as TSchema | undefined;
    if (schema) request.body = fieldsOf(request, schema);
  });
}

/** Maximum length of a body that is read as a whole. */
const smallBytes = 65_536;

/** Fields as parsed from JSON: the value may be anything. */
type Fields = { files?: unknown } | null;

/** Limits for JSON, and where its files go; called once for each body. */
export type JsonTerms = (request: FastifyRequest) => { limits: JsonLimits; keep?: Keep };

/** Limits of the route, without files or free-form data. */
const plainTerms: JsonTerms = ({ routeOptions: { bodyLimit } }) => ({
  limits: { bytes: bodyLimit, textBytes: bodyLimit, values: maxParameters },
});

/** JSON and urlencoded forms, and nothing else. */
export function registerParsers(server: Server, termsFor = plainTerms): void {
  // RFC 9110 §15.5.16: packed, a body would be taken for something else.
  server.addHook('preParsing', async ({ headers }) => {
    if (/^(identity)?$/i.test(headers['content-encoding'] ?? '')) return;
    throw new Problem('unsupported-media-type', 'Send the body as it is, without Content-Encoding.');
  });
  registerJson(server, termsFor);
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => readForm(body),
  );
}

function registerJson(server: Server, termsFor: JsonTerms): void {
  // `__proto__` and `constructor.prototype` are unknown fields like any other: left out, without effect.
  const parse = server.getDefaultJsonParser('remove', 'remove');
  server.removeContentTypeParser(['application/json', 'text/plain']);
  async function fieldsIn(request: FastifyRequest, text: string | undefined): Promise<Fields> {
    if (text === undefined) throw invalid('', 'The body is not UTF-8.');
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
        // Too many, unless they are the bytes of files, is for the reader to say.
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
      // The connection is closed after the response; a client that is still sending would never see it.
      if (length <= limits.bytes)
        await finished(payload.resume(), { writable: false }).catch(() => undefined);
      throw error;
    }
  });
}

/** Reads a small body at once: piece by piece would take a twentieth of the time of an edit. */
function readWhole(payload: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  return new Promise((resolve, reject) => {
    payload
      .on('data', (piece) => pieces.push(piece))
      .on('end', () => resolve(Buffer.concat(pieces)))
      .on('error', (cause) => reject(notWhole(cause)));
  });
}

/** Fields given more than once become lists. */
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

/** The body as an object of the schema's fields, without any other; nothing sent is no fields. `maxValues`: as in `readFields`. Refuses `invalid`. */
export function fieldsOf(
  request: FastifyRequest,
  schema: TSchema,
  maxValues?: number,
): Record<string, unknown> {
  const body = request.body ?? {};
  if (typeof body !== 'object' || Array.isArray(body))
    throw invalid('', 'The body must be an object of fields.');
  const given = body as Record<string, unknown>;
  const fields = isForm(request) ? readFields(schema, given, maxValues) : knownFields(schema, given);
  refuseUnstorable(fields);
  return fields;
}

/** Unknown fields are ignored, however many there are. */
function knownFields(schema: TSchema, given: Record<string, unknown>): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  for (const name of Object.keys((schema as Schema).properties ?? {}))
    if (Object.hasOwn(given, name)) known[name] = given[name];
  return known;
}

/** Refuses unpaired surrogates and NUL (PostgreSQL text holds neither) and nesting past 100 levels. Iterative. */
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
          // Numbers, as in the bytes of a Buffer, need no looking at.
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
    throw invalid(pointer, 'The text must be well-formed Unicode without NUL characters.');
  }
}
