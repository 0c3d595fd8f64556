/**
 * A save that got no answer may have arrived all the same. Asked before the next one, so that nobody is in conflict with
 * their own words, or told that the page they have just made is in its own way.
 */
import { encodePath } from '#domain/pages/path.ts';
import { bodyOf, type Written } from './written.ts';

export interface Unanswered {
  written: Written;
  /** Path of the page, or the path that it was to have. */
  path: string;
  isSection: boolean;
}

/** The change that it became, and the address of its page. Undefined: it did not arrive, or nobody answers. */
export async function findArrived({
  written,
  path,
  isSection,
}: Unanswered): Promise<{ change: string; url: string } | undefined> {
  const sent = bodyOf(written).replace(/\r\n?/g, '\n');
  try {
    const answer = await fetch(`/v1/history${encodePath(path)}?limit=10`, {
      cache: 'no-store',
      headers: { accept: 'application/json' },
    });
    if (!answer.ok) return undefined;
    const changes = (await answer.json()) as {
      id: number;
      content: { path: string; body: string };
      editor: { id: number };
    }[];
    const found = changes.find(
      ({ id, content: { body }, editor }) =>
        id > Number(written.base) &&
        String(editor.id) === document.body.dataset.member &&
        (isSection ? body.includes(sent) : body === sent),
    );
    return found && { change: String(found.id), url: encodePath(found.content.path) };
  } catch {
    // The save that follows will tell that nobody answers.
    return undefined;
  }
}
