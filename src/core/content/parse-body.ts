/** Parses stored bodies of either format. */
import { afterFacts, guardCode, parseMarkdown, readPart } from '@coppice/markdown';
import { parse, type Rules, type Tree } from '@coppice/wikitext';
import type { Format } from '../model/page.ts';

/** The tree of an unexpanded body. */
export function parseBody(body: string, format: Format, path: string, rules?: Rules): Tree {
  const options = { path, ...(rules ? { rules } : {}) };
  return format === 'markdown'
    ? parseMarkdown(body, options)
    : parse(body, { ...options, markdown: readPart });
}

/** A template's body in a form that pages in either language can use. */
export function templateBody(body: string, format: Format): string {
  return format === 'markdown' ? `<markdown>${guardCode(afterFacts(body))}</markdown>` : body;
}

/** Markdown source of a template's body; null if the template is in wikitext. */
export function markdownOf(templateBody: string | null): string | null {
  return /^<markdown>(.*)<\/markdown>$/s.exec(templateBody ?? '')?.[1] ?? null;
}
