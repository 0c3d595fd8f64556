/** Derives data from long bodies before the transaction that writes them, because other writes wait for its end. */
import { say } from '#words/say.ts';
import { type Derive, type DerivedFields, derivedFields } from '../model/derived.ts';
import { same } from '../model/page-fields.ts';
import { Problem } from '../model/problem.ts';
import type { Store } from '../ports/store.ts';

/** Shorter bodies take less time than asking for the page beforehand. */
const longBody = 20_000;

/**
 * Returns a function that derives data, and has done so already for the content that the transaction will probably write.
 * `expected` is called only for long bodies; undefined if the content cannot be known yet.
 */
export async function deriveAhead(
  store: Pick<Store, 'derive'>,
  body: string | undefined,
  expected: () => Promise<DerivedFields | undefined>,
): Promise<Derive> {
  const content = (body?.length ?? 0) < longBody ? undefined : await expected();
  if (content === undefined) return store.derive;
  const derived = await store.derive(content);
  const fields = derivedFields.filter((field) => derived.followsPath || field !== 'path');
  return async (written) =>
    fields.every((field) => same(written[field], content[field])) ? derived : store.derive(written);
}

/** Refuses `too-large` for a new body with more parts, links or notes than a page may have. Older pages keep theirs. */
export function refuseExcess({ excess }: { excess?: string }): void {
  if (excess !== undefined) {
    const onSite = say('problem.thePageHasTooManyParts');
    throw new Problem('too-large', excess, {
      onSite,
      errors: [{ pointer: '/body', detail: excess, words: onSite }],
    });
  }
}
