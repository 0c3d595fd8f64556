/** Rules of API tokens: their names, scopes and limits. Their rows and what a bearer may do are known to the core. */

import { dayMs } from '#core/model/iso-time.ts';
import { allInvalid, type FieldError, fieldError, invalid, Problem } from '#core/model/problem.ts';
import { type ApiToken, type Scope, scopes, subtreeScopes } from '#core/ports/credentials.ts';
import type { Reader } from '#core/ports/reader.ts';
import { getReadable } from '#core/reading/find-page.ts';
import { say } from '#words/say.ts';

export interface ListedApiToken extends ApiToken {
  /** Current path of the page that the token is limited to; null if there is none, or none that the member may read. */
  ancestor: string | null;
}

interface NewApiToken {
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
    errors.push(fieldError('/name', say('problem.theNameOfATokenHas1', { maxNameLength })));
  const unknown = wanted.find((scope) => !scopes.includes(scope as Scope));
  if (unknown !== undefined || wanted.length === 0)
    errors.push(fieldError('/scopes', say('problem.aTokenNeedsAtLeastOneOf', { scopes: scopes.join(', ') })));
  const wide = scopes.filter((scope) => wanted.includes(scope) && !subtreeScopes.includes(scope));
  if (typeof ancestor === 'string' && wide.length > 0)
    errors.push(
      fieldError(
        '/scopes',
        say('problem.aTokenThatIsLimitedToA', {
          subtreeScopes: subtreeScopes.join(', '),
          wide: wide.join(' and '),
        }),
      ),
    );
  const expiresAt = end ? Date.parse(end) : null;
  if (expiresAt !== null && !(expiresAt > now))
    errors.push(fieldError('/expiresAt', say('problem.theExpiryOfATokenMustBe')));
  // Front ends keep it where more people work than at the wiki.
  const isPreview = wanted.includes('preview');
  if (isPreview && (expiresAt === null || expiresAt > now + maxPreviewDays * dayMs))
    errors.push(fieldError('/expiresAt', say('problem.aTokenWithTheScopePreviewMust', { maxPreviewDays })));
  if (errors.length > 0) throw allInvalid(errors);
  return { name, scopes: scopes.filter((scope) => wanted.includes(scope)), expiresAt };
}

/** The page that a token is to be limited to. Refuses `invalid` for one that the member may not read. */
export async function readableAncestor(reader: Reader, path: string) {
  try {
    return await getReadable(reader, path);
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-found')
      throw invalid('/ancestor', error.words, 'not-found');
    throw error;
  }
}
