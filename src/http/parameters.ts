/**
 * Parsing of query strings and urlencoded forms. Parameters are counted in the raw bytes before they are parsed, because later
 * work may take time for each one.
 */

import { invalid, Problem } from '#core/model/problem.ts';
import { say } from '#words/say.ts';
import { decodeOnce } from './page-paths.ts';
import { textOf } from './request-body/file-parts.ts';

/** Maximum number of form fields, and of values in a JSON body without free-form data. */
export const maxParameters = 1000;
const maxQueryParameters = 100;

/** Refuses `too-large` for too many parameters, and `invalid` for what is not UTF-8. */
export function formParameters(body: Buffer): URLSearchParams {
  if (countOf(body, maxParameters) > maxParameters)
    throw new Problem('too-large', say('problem.aFormCanHaveAtMostFields', { maxParameters }));
  const text = textOf([body]);
  if (text === undefined) throw invalid('', say('problem.theFormIsNotUtf8'));
  decodeOnce(text.replaceAll('+', ' '), 'form');
  return new URLSearchParams(text);
}

/** Refuses `invalid` for a query with too many parameters or malformed encoding. */
export function refuseBadQuery(url: string): void {
  const query = /\?([^#]*)/.exec(url)?.[1] ?? '';
  if (countOf(query, maxQueryParameters) > maxQueryParameters)
    throw invalid('', say('problem.aQueryCanHaveAtMostParameters', { maxQueryParameters }));
  decodeOnce(query.replaceAll('+', ' '));
}

/** Number of parameters; counting stops at `max` + 1. */
function countOf(encoded: Buffer | string, max: number): number {
  let count = 1;
  for (let at = encoded.indexOf('&'); at !== -1 && count <= max; at = encoded.indexOf('&', at + 1)) count++;
  return count;
}
