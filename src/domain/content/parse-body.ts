/** Bodies as they are written, in either format. */
import { guardCode, parseMarkdown, readPart } from '@coppice/markdown';
import { parse, type Rules, type Tree } from '@coppice/wikitext';
import type { Format } from '../pages/page.ts';

/** The tree of a body whose templates are not in place. */
export function parseBody(body: string, format: Format, path: string, rules?: Rules): Tree {
  const options = { path, ...(rules ? { rules } : {}) };
  return format === 'markdown'
    ? parseMarkdown(body, options)
    : parse(body, { ...options, markdown: readPart });
}

/** A template's body, for pages in either language. */
export function templateBody(body: string, format: Format): string {
  return format === 'markdown' ? `<markdown>${guardCode(body)}</markdown>` : body;
}

/** Markdown of a template's body; null where it is none. */
export function markdownOf(templateBody: string | null): string | null {
  return /^<markdown>(.*)<\/markdown>$/s.exec(templateBody ?? '')?.[1] ?? null;
}
