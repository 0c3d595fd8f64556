/**
 * Checks before the next save whether one without a response has arrived, so that nobody conflicts with their own text, or is
 * told that their new page already exists.
 */
import { encodePath } from '#core/model/path.ts';
import { ask } from '../ask.ts';
import { bodyOf, type Written } from './written.ts';

export interface Unanswered {
  written: Written;
  /** Path of the page, or intended path. */
  path: string;
  isSection: boolean;
}

interface Change {
  id: number;
  content: { path: string; body: string };
  editor: { id: number };
}

/** The resulting change and the URL of its page; undefined if it did not arrive, or there is no answer. */
export async function findArrived({
  written,
  path,
  isSection,
}: Unanswered): Promise<{ change: string; url: string } | undefined> {
  const sent = bodyOf(written).replace(/\r\n?/g, '\n');
  // If there is no response, the following save reports the error.
  const changes = await ask<Change[]>(`/v1/history${encodePath(path)}?limit=10`, { cache: 'no-store' });
  const found = changes?.find(
    ({ id, content: { body }, editor }) =>
      id > Number(written.base) &&
      String(editor.id) === document.body.dataset.member &&
      (isSection ? body.includes(sent) : body === sent),
  );
  return found && { change: String(found.id), url: encodePath(found.content.path) };
}
