/** Types and tags in use on pages that the caller can see, as suggestions for writers. */

import type { TypesAndTags } from '../ports/list-reads.ts';
import type { Reader } from '../ports/reader.ts';

/** Recent pages show the current vocabulary; reading all pages would take longer the more there are. */
const lookedAtPages = 500;

/** Vocabulary of the 500 pages changed last: at most 50 of each kind, most frequent first. */
export async function listVocabulary(reader: Reader): Promise<TypesAndTags> {
  return reader.lists.vocabulary(lookedAtPages);
}
