/**
 * Reads bodies: JSON and forms give the same object of fields. Strings that no database could hold and nesting that
 * no serialiser could follow are refused here, once, whatever field they are in.
 */

import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { invalid, Problem } from '#domain/problem.ts';
import { givenFiles, textOf } from './given-files.ts';
import type { LiftFiles } from './lift-files.ts';
import { decodeOnce } from './page-paths.ts';
import { largeBytes, readPieces } from './pieces.ts';
import type { Server } from './service.ts';
import { readFields } from './validate.ts';

const maxNesting = 100;

/** For operations that take no files. */
export async function registerBodies(server: Server): Promise<void> {
  registerParsers(server);
  server.addHook('preValidation', async (request) => {
    const schema = request.routeOptions.schema?.body as TSchema | undefined;
    if (schema) request.body = fieldsOf(request, schema);
  });
}

/** JSON and urlencoded forms, and nothing else. `liftFiles`: from large JSON, where it may hold files. */
export function registerParsers(server: Server, liftFiles?: LiftFiles): void {
  // RFC 9110 §15.5.16: packed, a body would be taken for something else.
  server.addHook('preParsing', async ({ headers }) => {
    if (/^(identity)?$/i.test(headers['content-encoding'] ?? '')) return;
    throw new Problem('unsupported-media-type', 'Send the body as it is, without Content-Encoding.');
  });
  registerJson(server, liftFiles);
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => readForm(body),
  );
}

function registerJson(server: Server, liftFiles?: LiftFiles): void {
  // `__proto__` and `constructor.prototype` are unknown fields like any other: left out, without effect.
  const parse = server.getDefaultJsonParser('remove', 'remove');
  server.removeContentTypeParser(['application/json', 'text/plain']);
  server.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const pieces = await readPieces(request);
    const isLarge = Number(pieces[0]?.length) >= largeBytes;
    const { text, bytes } =
      isLarge && liftFiles ? await liftFiles(pieces) : { text: textOf(pieces), bytes: [] };
    if (text === undefined) throw invalid('', 'The body is not UTF-8.');
    if (text.trim() === '') return {};
    const fields = await new Promise<unknown>((resolve, reject) => {
      parse(request, text, (error, read) => (error ? reject(error) : resolve(read)));
    });
    for (const [i, file] of givenFiles(fields).entries()) if (bytes[i]) file.data = bytes[i];
    return fields;
  });
}

/** An urlencoded form. Refuses what is no UTF-8, which would be read as something else. */
export function formParameters(body: Buffer): URLSearchParams {
  const text = textOf([body]);
  if (text === undefined) throw invalid('', 'The form is not UTF-8.');
  decodeOnce(text.replaceAll('+', ' '), 'form');
  return new URLSearchParams(text);
}

/** Fields given more than once become lists. */
function readForm(body: Buffer): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  const parameters = formParameters(body);
  for (const name of new Set(parameters.keys())) {
    if (name in Object.prototype) continue;
    const values = parameters.getAll(name);
    fields[name] = values.length > 1 ? values : values[0];
  }
  return fields;
}

/** The body as an object of fields by the schema; nothing sent is no fields. Refuses `invalid`. */
export function fieldsOf(request: FastifyRequest, schema: TSchema): Record<string, unknown> {
  const body = request.body ?? {};
  if (typeof body !== 'object' || Array.isArray(body))
    throw invalid('', 'The body must be an object of fields.');
  const isForm = /^application\/x-www-form-urlencoded/i.test(request.headers['content-type'] ?? '');
  const fields = isForm
    ? readFields(schema, body as Record<string, unknown>)
    : (body as Record<string, unknown>);
  refuseUnstorable(fields);
  return fields;
}

/** Refuses unpaired surrogates and NUL (PostgreSQL text holds neither) and nesting past 100 levels. Iterative. */
export function refuseUnstorable(fields: Record<string, unknown>): void {
  let level: { pointer: string; value: unknown }[] = Object.entries(fields).map(([name, value]) => {
    refuseText('', name);
    return { pointer: `/${name.slice(0, 64)}`, value };
  });
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxNesting)
      throw invalid(level[0]?.pointer ?? '', `This is nested more than ${maxNesting} levels deep.`);
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

export function tooLarge(maxBytes: number): Problem {
  return new Problem('too-large', `A request can have at most ${Math.floor(maxBytes / 100_000) / 10} MB.`);
}
