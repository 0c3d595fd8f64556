/** A source as its own program shows it, from its text: read where pages are compared, not where they are written. */
import type { Dialect } from '@coppice/wikitext/dialect';
import type { Exactness } from './difference.ts';
import { shownInDokuWiki } from './dokuwiki-source.ts';
import { shownInMarkdown } from './markdown-source.ts';
import type { Shown, ShownLink } from './shown.ts';
import { shownInWikitext } from './wikitext-source.ts';

export type SourceText =
  /** `converted`: the same without markup of its program. */
  | { language: 'markdown'; text: string; kind: string; converted?: string }
  /** `names`: language of the source, in whose words it may be written. */
  | { language: 'wikitext'; text: string; names?: string }
  | { language: 'dokuwiki'; text: string; title: string }
  /** Counted while it was converted. */
  | { shown: Shown; exactness: Exactness };

/**
 * `links`: absent where the words of links are not known. `otherwise`: shown as well where only the program knows what it shows, such
 * as titles of tabs.
 */
export function shownOf(
  source: SourceText,
  dialect: Dialect,
): { shown: Shown; exactness: Exactness; links?: ShownLink[]; otherwise?: Shown } {
  if ('shown' in source) return { ...source, ...(source.shown.links ? { links: source.shown.links } : {}) };
  switch (source.language) {
    case 'markdown': {
      const { links, ...shown } = shownInMarkdown(source.text, source.kind);
      const { converted } = source;
      const otherwise = converted === undefined ? undefined : shownInMarkdown(converted, 'markdown');
      return { shown, exactness: 'whole', links, ...(otherwise ? { otherwise } : {}) };
    }
    case 'wikitext':
      return { shown: shownInWikitext(source.text, dialect, source.names), exactness: 'missing only' };
    case 'dokuwiki':
      return { shown: shownInDokuWiki(source.text, source.title), exactness: 'missing only' };
  }
}
