/** A source as its own program shows it, from its text: read where pages are compared, not where they are written. */
import type { Dialect } from '@coppice/wikitext/dialect';
import type { Exactness } from './difference.ts';
import { shownInDokuWiki } from './dokuwiki-source.ts';
import { shownInMarkdown } from './markdown-source.ts';
import type { Shown } from './shown.ts';
import { shownInWikitext } from './wikitext-source.ts';

export type SourceText =
  | { language: 'markdown'; text: string; kind: string }
  | { language: 'wikitext'; text: string }
  | { language: 'dokuwiki'; text: string; title: string }
  /** Counted while it was converted. */
  | { shown: Shown; exactness: Exactness };

export function shownOf(source: SourceText, dialect: Dialect): { shown: Shown; exactness: Exactness } {
  if ('shown' in source) return source;
  switch (source.language) {
    case 'markdown':
      return { shown: shownInMarkdown(source.text, source.kind), exactness: 'whole' };
    case 'wikitext':
      return { shown: shownInWikitext(source.text, dialect), exactness: 'missing only' };
    case 'dokuwiki':
      return { shown: shownInDokuWiki(source.text, source.title), exactness: 'missing only' };
  }
}
