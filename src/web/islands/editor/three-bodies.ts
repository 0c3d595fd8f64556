/** The three texts of a conflict: what this edit began with and made, and what the page holds now. */
import { encodePath } from '#domain/path.ts';

export interface ThreeBodies {
  base: string;
  theirs: string;
  yours: string;
}

/** Asks the server for the first and the last. Undefined: one cannot be had. */
export async function threeBodies(
  form: HTMLFormElement,
  answer: HTMLFormElement,
  firstBody: string,
  yours: string,
): Promise<ThreeBodies | undefined> {
  const theirChange = answer.querySelector<HTMLInputElement>('input[name=base]')?.value;
  const path = answer.dataset.path;
  if (!theirChange || !path) return undefined;
  const theirs = await bodyOf(path, theirChange);
  if (theirs === undefined) return undefined;
  const base = await bodyOf(path, form.dataset.base ?? '');
  if (base === undefined || !form.dataset.section)
    return base === undefined ? undefined : { base, theirs, yours };
  // A section was edited: its text goes back to where it was in the whole.
  const at = base.indexOf(firstBody);
  if (at < 0) return undefined;
  return { base, theirs, yours: base.slice(0, at) + yours + base.slice(at + firstBody.length) };
}

async function bodyOf(path: string, change: string): Promise<string | undefined> {
  const url = `/v1/pages${encodePath(path)}?version=${encodeURIComponent(change)}`;
  try {
    const answer = await fetch(url, { headers: { accept: 'application/json' } });
    if (!answer.ok) return undefined;
    const { page } = (await answer.json()) as {
      page: { history: { id: number; content: { body: string } }[] };
    };
    return page.history.find(({ id }) => id === Number(change))?.content.body;
  } catch {
    return undefined;
  }
}
