/** Converts markup of the program of a source to this wiki's Markdown. Code is kept as it is. */
import type { Approximation, Kind } from '../source.ts';
import { withTitledCode } from './terms/code-titles.ts';
import { fromGitBook } from './terms/gitbook.ts';
import { fromHugo } from './terms/hugo.ts';
import { fromJekyll } from './terms/jekyll.ts';
import { fromLogseq } from './terms/logseq.ts';
import { fromMdBook } from './terms/mdbook.ts';
import { fromMdx } from './terms/mdx.ts';
import { fromMkDocs } from './terms/mkdocs.ts';
import { namedPlugins } from './terms/obsidian.ts';
import { fromOutline } from './terms/outline.ts';
import { fromWikiJs } from './terms/wikijs.ts';

export interface TermsSurroundings {
  kind: Kind;
  /** Path of the document. */
  key: string;
  /** Block of a Logseq graph. */
  blockOf(id: string): { page: string; line: string } | undefined;
}

export function inOwnTerms(
  body: string,
  { kind, key, blockOf }: TermsSurroundings,
  approximated: Approximation[],
): string {
  const named = (before: string, after: string) =>
    approximated.push({ construct: 'title or marks of code', before, after });
  switch (kind) {
    case 'wikijs':
      return fromWikiJs(body, approximated);
    case 'gitbook':
      return fromGitBook(body, approximated);
    case 'mdbook':
      return fromMdBook(body, approximated);
    case 'hugo':
      return fromHugo(body, approximated);
    case 'jekyll':
      return fromJekyll(body, approximated);
    case 'obsidian':
    case 'quartz':
      return namedPlugins(body, approximated);
    case 'logseq':
      return fromLogseq(body, blockOf, approximated);
    case 'docusaurus':
    case 'nextjs':
      return withTitledCode(fromMdx(body, approximated), kind, named);
    case 'outline':
      return fromOutline(body, approximated);
    case 'mkdocs':
      return withTitledCode(fromMkDocs(body, approximated), kind, named);
    case 'vitepress':
      return withTitledCode(body, kind, named);
    default:
      return key.endsWith('.mdx') ? fromMdx(body, approximated) : body;
  }
}
