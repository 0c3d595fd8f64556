/** The wiki, and the tags by which rendered pages are found again when it changes. */

import { getSecret } from 'astro:env/server';
import { Coppice, type Event } from '@coppice/client';

export const address = getSecret('WIKI') ?? 'http://localhost:8080';

/** Without a credential: the site shows what everyone may read. */
export const wiki = new Coppice(address);

const preview = { token: getSecret('PREVIEW_TOKEN'), key: getSecret('PREVIEW_KEY') };

/**
 * The wiki as it would be with a proposal, for addresses with `?proposal=ID&key=…`; otherwise undefined. The key keeps proposals
 * from visitors who guess their numbers.
 */
export function previewAt({ searchParams }: URL): Coppice | undefined {
  const proposal = Number(searchParams.get('proposal'));
  const { token, key } = preview;
  if (!token || !key || !proposal || searchParams.get('key') !== key) return undefined;
  return new Coppice(address, {
    credential: { token },
    fetch(url, options) {
      const asked = new URL(String(url));
      asked.searchParams.set('proposal', String(proposal));
      return fetch(asked, options);
    },
  });
}

/** Webhooks keep pages fresh. This bounds for how long one is stale that was being rendered when its webhook came. */
const maxAge = 60 * 60;

/** Lists of the wiki that the site shows; a page of the site is tagged with all that it was made from. */
export type List = 'tree' | 'search' | 'near' | 'listings';

/** Cache tags of a page of the site: the pages and lists that it shows. */
export function dependsOn(paths: readonly string[], lists: readonly List[] = []) {
  return { maxAge, tags: [...paths.map(pageTag), ...lists] };
}

/** Tags of what an event made stale. */
export function staleAfter({ affects }: Event): string[] {
  return [
    ...affects.pages.map(({ path }) => pageTag(path)),
    ...affects.lists.map((list) => (list.startsWith('children:') ? 'tree' : list)),
    // More pages than an event can name: all of them.
    ...(affects.more ? [anyPage] : []),
  ];
}

export const anyPage = 'page';

/** Tags stand in a header, with commas between them. */
function pageTag(path: string): string {
  return `page:${encodeURIComponent(path)}`;
}
