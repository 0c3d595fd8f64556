/**
 * A tidied tree as wikitext. Text stays text: whatever in it would be markup is written so that it is not.
 */
import type { Element, ElementContent, Root } from 'hast';
import { wikitextLink } from './page-link.ts';
import { isBlock, isTag, textOf } from './tidy.ts';

export function toWikitext(root: Root): string {
  return blocks(root.children as ElementContent[]);
}

function blocks(nodes: ElementContent[]): string {
  return nodes
    .map(block)
    .filter((text) => text !== '')
    .join('\n\n');
}

function block(node: ElementContent): string {
  if (node.type !== 'element') return '';
  const { tagName: name, children } = node;
  if (/^h[1-6]$/.test(name)) {
    const marks = '='.repeat(Number(name[1]));
    return `${marks} ${line(children).replace(/^=|=$/g, '<nowiki>=</nowiki>')} ${marks}`;
  }
  switch (name) {
    case 'p':
      return atLineStart(line(children));
    case 'ul':
    case 'ol':
    case 'dl':
      return list(node, '');
    case 'table':
      return table(node);
    case 'blockquote':
      return `<blockquote>\n${blocks(children)}\n</blockquote>`;
    case 'pre':
      return preformatted(node);
    case 'hr':
      return '----';
    default:
      return atLineStart(line([node]));
  }
}

/** An item is one line; what cannot stand in a line follows its list. */
function list(node: Element, above: string): string {
  const lines: string[] = [];
  const after: string[] = [];
  for (const item of node.children as Element[]) {
    const mark =
      above + (item.tagName === 'dt' ? ';' : item.tagName === 'dd' ? ':' : node.tagName === 'ol' ? '#' : '*');
    const nested: string[] = [];
    const parts: string[] = [];
    let run: ElementContent[] = [];
    const end = () => {
      const text = line(run).trim();
      if (text !== '') parts.push(text);
      run = [];
    };
    for (const child of item.children) {
      if (!isBlock(child)) {
        run.push(child);
        continue;
      }
      end();
      const inner = child as Element;
      if (/^[uod]l$/.test(inner.tagName)) nested.push(list(inner, mark));
      else if (inner.tagName === 'table') after.push(table(inner));
      else if (inner.tagName === 'pre') parts.push(preformatted(inner));
      else
        parts.push(
          line(
            inner.children.flatMap((one) =>
              isTag(one, 'p') ? [...one.children, { type: 'text', value: ' ' }] : [one],
            ),
          ).trim(),
        );
    }
    end();
    // A colon parts a term from its definition on one line.
    const text = parts.join('<br>').replace(item.tagName === 'dt' ? /:(?!\/\/)/g : /(?!)/, '&#58;');
    if (text !== '' || nested.length === 0)
      lines.push(`${mark} ${text.replace(/^(?=[*#:;])/, '<nowiki/>')}`.trimEnd());
    lines.push(...nested);
  }
  return [lines.join('\n'), ...after].join('\n\n');
}

function table(node: Element): string {
  const lines = ['{| class="wikitable"'];
  let rows = 0;
  for (const child of node.children as Element[]) {
    if (child.tagName === 'caption') {
      lines.push(`|+ ${inCell(line(child.children))}`);
      continue;
    }
    if (rows++ > 0) lines.push('|-');
    const cells = child.children as Element[];
    const written = cells.map((cell) => {
      const spans = [
        cell.properties.colSpan && `colspan="${cell.properties.colSpan}"`,
        cell.properties.rowSpan && `rowspan="${cell.properties.rowSpan}"`,
      ].filter(Boolean);
      const isText = !cell.children.some(isBlock);
      const text = isText ? inCell(line(cell.children)) : `\n${blocks(mixed(cell.children))}`;
      return {
        mark: cell.tagName === 'th' ? '!' : '|',
        isText,
        text: spans.length > 0 ? `${spans.join(' ')} | ${text}` : text,
      };
    });
    const [first] = written;
    // On one line where nothing needs its own.
    if (first && written.every(({ mark, isText }) => isText && mark === first.mark)) {
      lines.push(
        `${first.mark} ${written.map(({ text }) => text).join(` ${first.mark}${first.mark} `)}`.trimEnd(),
      );
    } else for (const { mark, text } of written) lines.push(`${mark} ${text}`.replace(/ +$| +(?=\n)/, ''));
  }
  return [...lines, '|}'].join('\n');
}

function mixed(nodes: ElementContent[]): ElementContent[] {
  const result: ElementContent[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    if (isBlock(node)) result.push(node);
    else if (last && isTag(last, 'p') && last.properties.dataRun) last.children.push(node);
    else result.push({ type: 'element', tagName: 'p', properties: { dataRun: true }, children: [node] });
  }
  return result;
}

/** Bars part cells, and two exclamation marks headers. */
function inCell(text: string): string {
  return text.replace(/\|(?![^[]*\]\])|!!/g, (mark) => `<nowiki>${mark}</nowiki>`);
}

function preformatted(node: Element): string {
  const text = textOf(node).replace(/^\n|\n+$/g, '');
  const language = node.properties.dataLanguage;
  if (language !== undefined && !/<\/?syntaxhighlight/i.test(text))
    return `<syntaxhighlight lang="${language}">\n${text}\n</syntaxhighlight>`;
  return `<pre>\n${text.replace(/&/g, '&amp;').replace(/</g, '&lt;')}\n</pre>`;
}

/** Inline content on one line. */
function line(nodes: ElementContent[]): string {
  return inlines(nodes).replace(/\s+/g, ' ').trim();
}

function inlines(nodes: ElementContent[]): string {
  let out = '';
  for (const node of nodes) {
    const piece = node.type === 'text' ? escaped(node.value) : node.type === 'element' ? phrase(node) : '';
    // An apostrophe beside the marks of emphasis would be one of them.
    if (/^''/.test(piece) && /(?<!')'$/.test(out)) out = `${out.slice(0, -1)}&#39;`;
    out += /''$/.test(out) && /^'(?!')/.test(piece) ? `&#39;${piece.slice(1)}` : piece;
  }
  return out;
}

function phrase(node: Element): string {
  const { tagName: name, children, properties } = node;
  switch (name) {
    case 'strong':
      return around("'''", inlines(children));
    case 'em':
      return around("''", inlines(children));
    case 'br':
      return '<br>';
    case 'code': {
      const text = textOf(node);
      const safe = escaped(text);
      return `<code>${safe === text ? text : `<nowiki>${text.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</nowiki>`}</code>`;
    }
    case 'sub':
    case 'sup':
    case 'del':
      return `<${name}>${inlines(children)}</${name}>`;
    case 'a':
      return wikitextLink(String(properties.href ?? ''), inlines(children).trim(), textOf(node).trim());
    case 'img': {
      const alt = String(properties.alt ?? '').replace(/[[\]{}|<>]/g, ' ');
      return `[[File:${properties.src}${alt === '' ? '' : `|alt=${alt}`}]]`;
    }
    default:
      return inlines(children);
  }
}

/** Spaces stand outside the marks, and apostrophes at their inner edges are none of them. */
function around(mark: string, inside: string): string {
  const [, before = '', text = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(inside) ?? [];
  if (text === '') return before + after;
  return `${before}${mark}${text.replace(/^'(?!')|(?<!')'$/g, '&#39;')}${mark}${after}`;
}

function atLineStart(text: string): string {
  return text.replace(/^(?:[*#:;=!|]|-{4}|\{\|)/, (mark) => `<nowiki>${mark}</nowiki>`);
}

/** Escapes characters that begin markup anywhere in wikitext. */
function escaped(text: string): string {
  return text
    .replace(/&(?=#?\w{1,40};)/g, '&amp;')
    .replace(/<(?=[a-z/!])/gi, '&lt;')
    .replace(
      /\[\[|\]\]|\{\{+|\}\}+|'{2,}|~{3,}|\[(?=\/\/|[a-z][a-z0-9+.-]{1,15}:)|__(?=\p{Lu}+__)/giu,
      (mark) => `<nowiki>${mark}</nowiki>`,
    );
}
