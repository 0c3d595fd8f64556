/** Sentences for authors about output that may surprise them. */
import type { References } from '@coppice/wikitext';

export const sourceNotice =
  'This page takes too long to render, so it is shown as it was written. What costs most: brackets, quotes and lists that are opened again and again, and templates within templates. Fewer of them, or several shorter pages, would be rendered.';

export const titleNotice =
  'The text of DISPLAYTITLE is not shown: it reads otherwise than the page’s title, so readers would take the page for another one. Only the case of letters, emphasis and the like may differ.';

export function leftOutNotice(maxLinks: number, leftOut: number): string {
  return `Only the first ${maxLinks} different links are looked up in this preview: the other ${leftOut} look as if their pages were missing. Sign in to see where all of them lead.`;
}

/** Readers see the name of the unsupported construct; authors get this explanation. */
export function unsupportedNotice({ unsupported }: References): string[] {
  if (unsupported.length === 0) return [];
  const names = unsupported.slice(0, 20).join(', ');
  return [
    `This wiki has no ${names}${unsupported.length > 20 ? ' …' : ''}: pages show the name instead, or nothing.`,
  ];
}

/** Embedded parts of other pages that could not be shown. */
export function partNotices({
  missing,
  unread,
}: Record<'missing' | 'unread', ReadonlySet<string>>): string[] {
  return [
    ...(missing.size > 0 ? [`There is no such section or block: ${some(missing)}.`] : []),
    ...(unread.size > 0
      ? [`The pages that parts are taken of are too long together, so these are left out: ${some(unread)}.`]
      : []),
  ];
}

function some(names: ReadonlySet<string>): string {
  return [...names].slice(0, 20).join(', ') + (names.size > 20 ? ' …' : '');
}
