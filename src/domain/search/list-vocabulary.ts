/** The types and tags in use, as far as the caller can see: what a writer is offered to choose from. */

import type { TypesAndTags } from '../ports/list-reads.ts';
import type { Reader } from '../reader.ts';

/** Recent pages show what people write now; reading every page would take longer the more there are. */
const lookedAtPages = 500;

/** Vocabulary of the 500 pages that changed last: at most 50 of each, those of most pages first. */
export async function listVocabulary(reader: Reader): Promise<TypesAndTags> {
  return reader.lists.vocabulary(lookedAtPages);
}
