/** Import sources: files written beside a wiki, and the pages that result. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createRenderer } from '#core/content/render.ts';
import { editPage } from '#core/pages/edit-page.ts';
import { viewPage } from '#core/pages/view-page.ts';
import type { TestWiki } from './cli.ts';

/** A one-pixel picture. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Writes the files into a folder beside the wiki's data and returns its path. */
export function plant(wiki: TestWiki, files: Record<string, string | Buffer>, name = 'source'): string {
  const folder = join(wiki.folder, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

/** HTML of a page as visitors see it. */
export async function markup(wiki: TestWiki, path: string): Promise<string> {
  await using open = await wiki.open();
  const reader = open.store.readAs(null);
  const view = await viewPage({ reader, renderer: createRenderer(''), now: Date.now() }, path, {
    history: 'none',
  });
  if (!('markup' in view)) throw new Error(`${path} moved to ${view.movedTo}.`);
  return view.markup;
}

/** Edits a page as this member, an administrator. */
export async function edit(wiki: TestWiki, memberId: number, path: string, input: object): Promise<void> {
  await using open = await wiki.open();
  const actor = { memberId, name: 'Ada Lovelace', isAdmin: true };
  await editPage(
    { store: open.store, files: open.files, renderer: createRenderer(''), actor, now: Date.now() },
    path,
    input,
  );
}

export async function load(wiki: TestWiki, path: string) {
  await using open = await wiki.open();
  return await open.store.readAsSystem().pages.loadByPath(path, 'all');
}

/** Paths of the pages beneath a page, in the order in which they are listed. */
export async function childrenOf(wiki: TestWiki, path: string): Promise<string[]> {
  await using open = await wiki.open();
  const { lists, links } = open.store.readAsSystem();
  const id = (await links.resolve([path])).get(path)?.id ?? -1;
  return (await lists.children(id, { limit: 50, offset: 0 })).pages.map((page) => page.path);
}
