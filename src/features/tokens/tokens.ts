/** Rules of API tokens: their names, scopes and limits. Their rows and what a bearer may do are known to the core. */
import { dayMs } from '#core/model/iso-time.ts';
import { allInvalid, type FieldError, invalid, Problem } from '#core/model/problem.ts';
import { type ApiToken, type Scope, scopes, subtreeScopes } from '#core/ports/credentials.ts';
import type { Reader } from '#core/ports/reader.ts';
import { getReadable } from '#core/reading/find-page.ts';

export interface ListedApiToken extends ApiToken {
  /** Current path of the page that the token is limited to; null if there is none, or none that the member may read. */
  ancestor: string | null;
}

export interface NewApiToken {
  name: string;
  scopes: readonly string[];
  /** Path of a page. */
  ancestor?: string | null;
  /** ISO 8601. */
  expiresAt?: string | null;
}

const maxNameLength = 100;
export const maxTokens = 100;
const maxPreviewDays = 366;

/** Refuses `invalid`, naming all invalid fields at once. */
export function checkToken(
  { name: given, scopes: wanted, ancestor, expiresAt: end }: NewApiToken,
  now: number,
): Pick<ApiToken, 'name' | 'scopes' | 'expiresAt'> {
  const errors: FieldError[] = [];
  const name = given.normalize('NFC').trim();
  if (name === '' || [...name].length > maxNameLength || /[\p{Cc}\p{Cf}]/u.test(name) || !name.isWellFormed())
    errors.push({
      pointer: '/name',
      detail: `The name of a token has 1 to ${maxNameLength} characters, without control characters.`,
    });
  const unknown = wanted.find((scope) => !scopes.includes(scope as Scope));
  if (unknown !== undefined || wanted.length === 0)
    errors.push({
      pointer: '/scopes',
      detail: `A token needs at least one of the scopes ${scopes.join(', ')}.`,
    });
  const wide = scopes.filter((scope) => wanted.includes(scope) && !subtreeScopes.includes(scope));
  if (typeof ancestor === 'string' && wide.length > 0)
    errors.push({
      pointer: '/scopes',
      detail: `A token that is limited to a page and everything beneath has only the scopes ${subtreeScopes.join(', ')}. Leave out ${wide.join(' and ')}, or the limit.`,
    });
  const expiresAt = end ? Date.parse(end) : null;
  if (expiresAt !== null && !(expiresAt > now))
    errors.push({ pointer: '/expiresAt', detail: 'The expiry of a token must be in the future.' });
  // Front ends keep it where more people work than at the wiki.
  const isPreview = wanted.includes('preview');
  if (isPreview && (expiresAt === null || expiresAt > now + maxPreviewDays * dayMs))
    errors.push({
      pointer: '/expiresAt',
      detail: `A token with the scope preview must expire within ${maxPreviewDays} days.`,
    });
  if (errors.length > 0) throw allInvalid(errors);
  return { name, scopes: scopes.filter((scope) => wanted.includes(scope)), expiresAt };
}

/** The page that a token is to be limited to. Refuses `invalid` for one that the member may not read. */
export async function readableAncestor(reader: Reader, path: string) {
  try {
    return await getReadable(reader, path);
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-found')
      throw invalid('/ancestor', error.message, 'not-found');
    throw error;
  }
}
