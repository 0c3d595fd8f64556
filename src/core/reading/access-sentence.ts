/** The sentence about a page's access, with the names of all groups that it concerns. */
import { accessSentence } from '../model/access-words.ts';
import { entriesIn, type GrantSubject } from '../model/grant.ts';
import type { Page } from '../model/page.ts';
import type { Store } from '../ports/store.ts';

/** At most one statement, and none for pages without grants. */
export async function sentenceAbout(
  store: Pick<Store, 'grants' | 'isPrivate'>,
  page: Pick<Page, 'permissions' | 'group' | 'granted'>,
): Promise<string> {
  const subjects = (page.granted ? entriesIn(page.granted) : '')
    .split(' ')
    .flatMap((entry): GrantSubject[] => {
      const subject = Number.parseInt(entry, 10);
      return subject % 2 === 0 ? [{ group: subject / 2 }] : [];
    });
  const groups = subjects.length === 0 ? new Map() : (await store.grants.namesOf(subjects)).groups;
  return accessSentence({ ...page, groups }, store);
}
