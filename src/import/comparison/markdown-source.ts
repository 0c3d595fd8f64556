/**
 * Reads a Markdown document as the program shows it that it comes from. CommonMark and GitHub's tables are read by their own parser,
 * not by that of the wiki; what programs add to them is replaced by what they show of it, outside code:
 *
 *   [[Oak|the oak]]  ![[Oak.png]]  [^1]  {.class}  %%comment%%  > [!note]  ::: tip  !!! note  {% include %}  {{< ref >}}
 *
 * Attributes, shortcodes and tags of templates show nothing. This is approximate where they show a text of their own.
 */
import { codeIn, commonMarkHtml, readFrontMatter } from '@coppice/markdown';
import { withTitledCode } from '../documents/terms/code-titles.ts';
import { tables, withHeading } from '../documents/terms/kramdown-tables.ts';
import { readMarkup } from './markup.ts';
import { plainMkDocs } from './mkdocs-source.ts';
import { ownTitle } from './own-title.ts';
import type { Shown, ShownLink } from './shown.ts';

const isPicture = /\.(?:avif|bmp|gif|heic|jpe?g|png|svg|tiff?|webp)$/i;
/** Files that are shown by their names. */
const isOtherFile = /\.(?:canvas|csv|docx?|json|odt|pdf|pptx?|txt|xlsx?|zip)(?:#|$)/i;
/** Programs whose documents are filled in by a template language. */
const hasTemplates: ReadonlySet<string> = new Set([
  'hugo',
  'zola',
  'jekyll',
  'eleventy',
  'gitbook',
  'mdbook',
]);
const hasComponents: ReadonlySet<string> = new Set(['docusaurus', 'nextjs', 'vitepress']);

export function shownInMarkdown(source: string, kind: string): Shown & { links: ShownLink[] } {
  const body = source.slice(readFrontMatter(source)?.end ?? 0);
  const text = withTitledCode(kind === 'mkdocs' ? plainMkDocs(body) : body, kind).replace(
    /\[\[(?=[^\]\n]{0,1500}`)[^[\]|\n]{1,1000}\|([^\]\n]{1,1000})\]\]/g,
    '$1',
  );
  let out = '';
  let notes = 0;
  for (const { part, isCode } of kind === 'obsidian' ? withoutComments(text) : partsOf(text)) {
    if (isCode) {
      out += part;
      continue;
    }
    const { text, found } = withoutNotes(part);
    notes += found;
    out += inCommonMark(text, kind);
  }
  const { shown, links } = readMarkup(commonMarkHtml(out));
  return { ...shown, parts: { ...shown.parts, notes }, links };
}

interface TextPart {
  part: string;
  isCode: boolean;
}

function* partsOf(text: string): Generator<TextPart> {
  let at = 0;
  for (const [start, end] of codeIn(text)) {
    yield { part: text.slice(at, start), isCode: false };
    yield { part: text.slice(start, end), isCode: true };
    at = end;
  }
  yield { part: text.slice(at), isCode: false };
}

/** A comment between double percent signs may hold code. A last sign without another is text. */
function withoutComments(text: string): TextPart[] {
  const parts = [...partsOf(text)];
  const marks = parts.reduce((sum, { part, isCode }) => sum + (isCode ? 0 : part.split('%%').length - 1), 0);
  let left = marks - (marks % 2);
  let isHidden = false;
  return parts.map(({ part, isCode }) => {
    if (isCode) return { part: isHidden ? '' : part, isCode };
    const [first = '', ...rest] = part.split('%%');
    let shown = isHidden ? '' : first;
    for (const piece of rest) {
      if (left-- <= 0) shown += '%%';
      else isHidden = !isHidden;
      if (!isHidden) shown += piece;
    }
    return { part: shown, isCode };
  });
}

/** Notes are shown once for each definition. */
function withoutNotes(text: string): { text: string; found: number } {
  let found = 0;
  const out = text.replace(
    /^([ \t>]*)\[\^[^\]\n]{1,300}\]:(.*(?:\n(?: {4}|\t).*|\n[ \t]*(?=\n))*)/gm,
    (_, before: string, note: string) => {
      found++;
      return `${before}${note.replace(/^(?: {4}|\t)/gm, '')}`;
    },
  );
  const withInline = out.replace(/(?<!\[)\^\[(?!\^)([^[\]\n]{1,1000})\]/g, (_, words: string) => {
    found++;
    return ` ${words} `;
  });
  return { text: withInline.replace(/\[\^[^\]\n]{1,300}\]/g, ''), found };
}

function inCommonMark(text: string, kind: string): string {
  let out = text
    .replace(/!\[\[([^[\]|\n]{1,1000})(?:\|[^\]\n]{0,1000})?\]\]/g, (_, name: string) =>
      isPicture.test(name.replace(/#.*$/s, '').trim())
        ? '<img>'
        : isOtherFile.test(name)
          ? name.replace(/#.*$/s, '').replace(/^.*\//s, '')
          : '',
    )
    .replace(/\[\[([^[\]|\n]{1,1000})(?:\|([^\]\n]{0,1000}))?\]\]/g, (_, target: string, label?: string) =>
      (label ?? target).replaceAll('\\', ''),
    )
    .replace(/^([ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+)\[[ xX/-]\][ \t]/gm, '$1')
    .replace(
      /^([ \t>]*)\[!([\w-]{1,40})\][+-]?[ \t]*(.*)$/gm,
      (_, before: string, name: string, title: string) => `${before}${ownTitle(title, name)}\n${before}`,
    )
    .replace(
      /^(?:!!!|\?\?\?\+?)[ \t]+([\w-]{1,40})[^"\n]{0,100}(?:"([^"\n]*)")?[ \t]*\n((?:(?: {4}|\t).*\n|[ \t]*\n)*)/gm,
      (_, name: string, title: string | undefined, inside: string) =>
        `${ownTitle(title ?? '', name)}\n\n${inside.replace(/^(?: {4}|\t)/gm, '')}\n`,
    )
    // Meanings of terms, whose paragraphs would be code.
    .replace(
      /^:[ \t]+(.*(?:\n(?: {2,4}|\t).*|\n[ \t]*(?=\n))*)/gm,
      (_, meaning: string) => `\n${meaning.replace(/^(?: {2,4}|\t)/gm, '')}\n`,
    )
    .replace(
      /^[ \t]*:{3,}[ \t]*\{?([\w-]*)\}?(?:\[([^\]\n]*)\])?[ \t]*(.*)$/gm,
      (_, name: string, label: string | undefined, title: string) => `\n${ownTitle(label || title, name)}\n`,
    )
    .replace(/[ \t]=\d{0,5}x?\d{0,5}\)/g, ')')
    .replace(/\{[ \t]*(?:[#.:]|(?:width|height|align|loading|target|title)=)[^{}\n]{0,500}\}/g, '')
    .replace(/^\[(?:TOC|toc)\]$|^\[\[_TOC_\]\]$/gm, '')
    .replace(/:[a-z][a-z0-9_+-]{1,40}:/g, '')
    .replace(/\$\$[^$]+\$\$|\$(?![\s\d])[^$\n]{1,1000}(?<![\s\\])\$(?!\d)/g, '<math></math>');
  if (kind === 'obsidian' || kind === 'logseq') out = out.replace(/(?:^|[ \t])\^[\w-]{1,60}$/gm, '');
  if (kind === 'logseq') out = out.replace(/^[ \t]*(?:- )?[\w-]{1,60}::.*$/gm, '');
  if (hasTemplates.has(kind)) out = out.replace(/\{\{[^{}]{0,2000}\}\}|\{%(?:[^%]|%(?!\})){0,2000}%\}/g, '');
  if (kind === 'mdbook')
    out = out.replace(
      /\\\\\((?:(?!\n\s*\n)[\s\S]){1,2000}?\\\\\)|\\\\\[(?:(?!\n\s*\n)[\s\S]){1,2000}?\\\\\]/g,
      '<math></math>',
    );
  if (kind === 'wikijs') out = out.replace(/(?<![\^~\\])([\^~])([^^~\s]{1,100})\1(?!\1)/g, '$2');
  if (kind === 'jekyll') out = out.replace(tables, withHeading);
  if (hasComponents.has(kind))
    out = out
      .replace(/^(?:import|export)[ \t].*$/gm, '')
      .replace(/\{\/\*[\s\S]{0,2000}?\*\/\}/g, '')
      .replace(/=\{(?:\{[^{}\n]{0,500}\}|[^{}\n]{0,500})\}/g, '=""');
  return out;
}
