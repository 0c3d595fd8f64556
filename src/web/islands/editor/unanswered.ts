/**
 * A save that got no answer may have arrived all the same. Asked before the next one, so that nobody is in conflict with
 * their own words, or told that the page they have just made is in its own way.
 */
import { encodePath } from '#domain/pages/path.ts';
import { ask } from '../ask.ts';
import { bodyOf, type Written } from './written.ts';

export interface Unanswered {
  written: Written;
  /** Path of the page, or the path that it was to have. */
  path: string;
  isSection: boolean;
}

interface Change {
  id: number;
  content: { path: string; body: string };
  editor: { id: number };
}

/** The change that it became, and the address of its page. Undefined: it did not arrive, or nobody answers. */
export async function findArrived({
  written,
  path,
  isSection,
}: Unanswered): Promise<{ change: string; url: string } | undefined> {
  const sent = bodyOf(written).replace(/\r\n?/g, '\n');
  // If nobody answers, the save that follows will tell.
  const changes = await ask<Change[]>(`/v1/history${encodePath(path)}?limit=10`, { cache: 'no-store' });
  const found = changes?.find(
    ({ id, content: { body }, editor }) =>
      id > Number(written.base) &&
      String(editor.id) === document.body.dataset.member &&
      (isSection ? body.includes(sent) : body === sent),
  );
  return found && { change: String(found.id), url: encodePath(found.content.path) };
}
