/** Effects of deleting a page, computed beforehand: pages and files that go with it, and links that break. */

import { say } from '#words/say.ts';
import { refuseUnlessWriter } from '../model/may-write.ts';
import type { Page, PageName } from '../model/page.ts';
import { mayModeratePage } from '../model/page-access.ts';
import { may, mayModerate } from '../model/permission.ts';
import { Problem } from '../model/problem.ts';
import type { Reader } from '../ports/reader.ts';
import { getReadable } from '../reading/find-page.ts';

export interface DeletionPreview {
  page: Page;
  /** Number of descendants that the actor can see. */
  beneath: number;
  /** Number of descendants that the actor may not edit, including hidden ones; any of them prevents the deletion. */
  foreign: number;
  /** Number of current files of the page and its descendants. */
  files: number;
  /** Pages that link to this one, by title; if there are many, only some. */
  links: { pages: PageName[]; total: number };
}

const shownLinks = 100;

/** Refuses like `deletePage`, except for descendants. */
export async function previewDeletion(reader: Reader, path: string): Promise<DeletionPreview> {
  const { actor } = reader;
  if (!actor) throw new Problem('unauthenticated', say('problem.signInToDeleteAPage'));
  const page = await getReadable(reader, path);
  refuseUnlessWriter(actor);
  if (!mayModeratePage(actor, page, reader))
    throw new Problem('not-permitted', say('problem.youDoNotHavePermissionToDelete'));
  const [subtree, links] = await Promise.all([
    reader.trash.survey(page),
    reader.links.backlinks(page, { limit: shownLinks, offset: 0 }),
  ]);
  const sum = (groups: { pages: number }[]) => groups.reduce((sum, { pages }) => sum + pages, 0);
  return {
    page,
    beneath: sum(subtree.groups.filter((group) => may(actor, 'read', group, reader))),
    foreign: sum(subtree.groups.filter((group) => !mayModerate(actor, group, reader))),
    files: subtree.files,
    links,
  };
}
