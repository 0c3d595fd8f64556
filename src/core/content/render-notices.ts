/** Sentences for authors about output that may surprise them. */
import type { References } from '@coppice/wikitext';

export const sourceNotice =
  'This page takes too long to render, so its source is shown. The main costs are brackets, quotes and lists that are opened many times, and templates within templates. Use fewer of them, or split the page into several.';

export const titleNotice =
  'The text of DISPLAYTITLE is ignored, because it differs from the page’s title and readers could take the page for another one. Only upper and lower case, emphasis and the like may differ.';

/** Notice for strangers, whose previews look up a bounded number of links. */
export function leftOutNotice(maxLinks: number, leftOut: number): string {
  return `This preview looks up only the first ${maxLinks} different links; the other ${leftOut} look as if their pages were missing. Sign in to see where all of them lead.`;
}

/** Readers see the name of the unsupported construct; authors get this explanation. */
export function unsupportedNotice({ unsupported }: References): string[] {
  if (unsupported.length === 0) return [];
  const names = unsupported.slice(0, 20).join(', ');
  return [
    `This wiki does not support ${names}${unsupported.length > 20 ? ' …' : ''}. Pages show the name instead, or nothing.`,
  ];
}

/** Embedded parts of other pages that could not be shown. */
export function partNotices({
  missing,
  unread,
}: Record<'missing' | 'unread', ReadonlySet<string>>): string[] {
  return [
    ...(missing.size > 0 ? [`These sections or blocks do not exist: ${some(missing)}.`] : []),
    ...(unread.size > 0
      ? [
          `The pages from which sections are embedded are too long together, so these are left out: ${some(unread)}.`,
        ]
      : []),
  ];
}

function some(names: ReadonlySet<string>): string {
  return [...names].slice(0, 20).join(', ') + (names.size > 20 ? ' …' : '');
}
