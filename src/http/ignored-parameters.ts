/**
 * Unknown query parameters. They are ignored, because clients add some to bypass caches, but a response header names them, and
 * with `strict=1` they are refused.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { invalid } from '#core/model/problem.ts';
import { isReadByProposal } from './proposal-view.ts';
import { invalidFields, type Schema } from './schemas/validate.ts';

export const ignoredParameters = 'coppice-ignored-parameters';

const maxNames = 20;
const maxNameLength = 64;
/** Maximum total length of the names, encoded. */
const maxLength = 1000;

/** Parameter of every operation, for the reference. */
export const strictParameter = {
  name: 'strict',
  in: 'query',
  required: false,
  description:
    'With `1`, query parameters that this operation does not have are refused. Otherwise they are ignored, and `Coppice-Ignored-Parameters` lists them.',
  schema: { type: 'string', const: '1' },
  example: '1',
} as const;

export const ignoredHeader = {
  'Coppice-Ignored-Parameters': {
    description:
      'Names of query parameters that this operation does not have, percent-encoded and separated by commas. Absent if there are none.',
    example: 'since, bbox',
  },
} as const;

/** Must run before the query is validated, which drops unknown parameters. */
export function tellIgnored(request: FastifyRequest, reply: FastifyReply): void {
  if (!request.url.includes('?')) return;
  const { strict, proposal, ...query } = request.query as Record<string, unknown>;
  const { properties = {} } = (request.routeOptions.schema?.querystring ?? {}) as Schema;
  if (proposal !== undefined && !isReadByProposal(request.routeOptions)) query.proposal = proposal;
  const ignored = Object.keys(query).filter((name) => name !== '' && !Object.hasOwn(properties, name));
  if (strict !== undefined && strict !== '1')
    throw invalid('?strict', 'Expected 1. Otherwise leave the parameter out.');
  if (ignored.length === 0) return;
  if (strict === undefined) {
    reply.header(ignoredParameters, namesOf(ignored));
    return;
  }
  const known = Object.keys(properties);
  const others = known.length > 0 ? `It has ${known.join(', ')}.` : 'It has no parameters.';
  throw invalidFields(
    ignored.slice(0, maxNames).map((name) => ({
      pointer: `?${cut(name)}`,
      detail: `This operation has no such parameter. ${others}`,
      code: 'unknown-parameter',
    })),
  );
}

/** The names as a valid header value. If some are left out, the last one is `…`, percent-encoded. */
function namesOf(names: string[]): string {
  const shown: string[] = [];
  let length = 0;
  for (const name of names) {
    const encoded = encodeURIComponent(cut(name));
    length += encoded.length;
    if (shown.length === maxNames || length > maxLength)
      return [...shown, encodeURIComponent('…')].join(', ');
    shown.push(encoded);
  }
  return shown.join(', ');
}

function cut(name: string): string {
  return name.length > maxNameLength ? `${name.slice(0, maxNameLength).toWellFormed()}…` : name;
}
