/**
 * Page templates: pages of the type `Page template`, with whose text new pages begin. Their `{{subst:…}}` and signatures wait for the
 * page that begins with them. Text in `<noinclude>` is for whoever reads the template, text in `<includeonly>` for the new page.
 */
import { readFrontMatter } from '@coppice/markdown';
import { type Node, references } from '@coppice/wikitext';
import { type Dialect, rulesOf } from '@coppice/wikitext/dialect';
import type { Content } from '../model/page.ts';
import { parseBody } from './parse-body.ts';

export const pageTemplateType = 'Page template';

/** Nodes deeper than that are no markers of the page either. */
const deepest = 400;

type Source = Pick<Content, 'body' | 'format' | 'path'>;

/** Whether a page with this type and text is a page template. `type`: the field of the page, which counts before a marker. */
export function isPageTemplate(
  { type, ...source }: Source & Pick<Content, 'type'>,
  dialect: Dialect,
): boolean {
  if (type !== null) return type === pageTemplateType;
  return (
    source.body.includes(pageTemplateType) && references(treeOf(source, dialect)).type === pageTemplateType
  );
}

/** Text with which a new page begins: without the type of the template. */
export function newBodyOf(source: Source, dialect: Dialect): string {
  const { body, format } = source;
  const facts = format === 'markdown' ? readFrontMatter(body)?.end : undefined;
  let text = '';
  let from = 0;
  for (const marker of typeMarkers(treeOf(source, dialect).children, 0)) {
    const isFact = facts !== undefined && marker.start < facts;
    text += body.slice(from, marker.start);
    if (isFact) text += withoutType(body.slice(marker.start, marker.end));
    // A line that held nothing else goes as well.
    const endsLine = !isFact && /(?:^|\n)$/.test(text) && body[marker.end] === '\n';
    from = marker.end + (endsLine ? 1 : 0);
  }
  return included(text + body.slice(from));
}

function treeOf({ body, format, path }: Source, dialect: Dialect) {
  return parseBody(body, format, path, rulesOf(dialect));
}

function typeMarkers(nodes: readonly Node[], depth: number): { start: number; end: number }[] {
  if (depth > deepest) return [];
  return nodes.flatMap((node) => {
    if (node.type === 'marker') return node.key === 'type' && node.value === pageTemplateType ? [node] : [];
    return 'children' in node && node.children ? typeMarkers(node.children, depth + 1) : [];
  });
}

/** Front matter without the line of the type; nothing if no other fact is left. */
function withoutType(facts: string): string {
  const left = facts.replace(/^["']?type["']? {0,9}[:=].*\n/m, '');
  return left.split('\n').length > 3 ? left : '';
}

/** The part of a text that calls of a template would take over. */
function included(text: string): string {
  let out = '';
  let from = 0;
  let isHidden = false;
  for (const { 0: tag, 1: slash, 2: name, index } of text.matchAll(
    /<(\/?)(noinclude|includeonly) {0,9}>/gi,
  )) {
    if (!isHidden) out += text.slice(from, index);
    from = index + tag.length;
    if (name?.toLowerCase() === 'noinclude') isHidden = slash === '';
  }
  if (!isHidden) out += text.slice(from);
  return from === 0 ? out : out.replace(/^\n+/, '');
}
