/** Finds text that no message made, on pages and in mail in the pseudo-language, which puts every message in brackets. */
import type { DefaultTreeAdapterTypes } from 'parse5';
import { parse } from 'parse5';
import { attribute, elementsOf, type Visitor } from './web.ts';

/** Programs and formats, which have the same name in every language. */
const programs =
  'MediaWiki,DokuWiki,Obsidian,Logseq,Foam,Dendron,Quartz,Wiki.js,Docusaurus,MkDocs,mdBook,GitBook,Hugo,Zola,Jekyll,Eleventy,Next.js,HTML,Notion,Confluence,TiddlyWiki,Evernote,OPML,Outline,BookStack,CSV,Coppice,Markdown,EPUB'.split(
    ',',
  );

type Node = DefaultTreeAdapterTypes.Node;

/** Texts of a document that no message made: outside the marks of the pseudo-language, and not of a page or member. */
export function unmarked(text: string): string[] {
  const found: string[] = [];
  let open = 0;
  const read = (value: string, where: string) => {
    let own = '';
    for (const part of value.split(/([⟦⟧])/)) {
      if (part === '⟦') open++;
      else if (part === '⟧') open--;
      else if (open === 0) own += part;
    }
    if (/\p{L}{2}/u.test(own)) found.push(`${where}: ${own.replace(/\s+/g, ' ').trim()}`);
  };
  const walk = (node: Node) => {
    if ('value' in node && node.nodeName === '#text') read(node.value, node.parentNode?.nodeName ?? '');
    if ('tagName' in node) {
      if (/^(script|style|time|code|pre|kbd|bdi|svg|textarea|noscript)$/.test(node.tagName)) return;
      const classes = attribute(node, 'class') ?? '';
      // Text of members has the direction of its own letters.
      if (attribute(node, 'dir') === 'auto' || /\bmarkup\b/.test(classes)) return;
      if (attribute(node, 'lang') !== undefined && node.tagName !== 'html') return;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description']) {
        const value = attribute(node, name);
        if (value !== undefined) read(value, `${node.tagName} ${name}`);
      }
    }
    if ('childNodes' in node) for (const child of node.childNodes) walk(child);
  };
  walk(parse(text));
  return found;
}

/** Text of the test's members, names that are the same in every language, and sizes and languages, whose names come from `Intl`. */
const data = new RegExp(
  `https://site\\.example\\.org/hooks/wiki|http://127|@example|\\.org|\\d bytes?|German|English \\(Pseudo-Accents\\)|[Zz]z|[Qq]q|${programs.join('|')}`,
  'g',
);

export function notFromCatalogues(words: ReadonlyMap<string, string>): [string, string][] {
  return [...words].filter(([word]) => /\p{L}{2}/u.test(word.slice(word.indexOf(': ')).replace(data, '')));
}

/** Follows all links within the site. */
export async function crawled(
  visitor: Visitor,
  from: string[],
): Promise<{ shown: string[]; words: Map<string, string> }> {
  const seen = new Set(from);
  const waiting = [...from];
  const words = new Map<string, string>();
  /** Addresses of pages. */
  const shown: string[] = [];
  for (let url = waiting.shift(); url !== undefined && shown.length < 300; url = waiting.shift()) {
    const answer = await visitor.get(url);
    const found = answer.location === undefined ? [] : [answer.location];
    if (String(answer.headers['content-type'] ?? '').startsWith('text/html')) {
      shown.push(url);
      if (/<title>[^<]*<(?!\/title)/.test(answer.text)) words.set('title: markup', url);
      for (const one of unmarked(answer.text)) if (!words.has(one)) words.set(one, url);
      for (const element of elementsOf(answer.text))
        if (element.tagName === 'a') found.push(attribute(element, 'href') ?? '');
    }
    for (const href of found) {
      const address = href.split('#')[0] ?? '';
      if (!/^\/(?!\/|v1\/|files\/|assets\/)/.test(address) || /download|logout/.test(href)) continue;
      if (seen.has(address)) continue;
      seen.add(address);
      waiting.push(address);
    }
  }
  return { shown, words };
}
