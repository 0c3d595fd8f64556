/**
 * Markdown (CommonMark with GFM tables, task lists, footnotes, strike-through) put into wikitext, so that everything
 * after it is one and the same: links, markers, templates, references, the sanitizer, tables of contents.
 *
 * `[[…]]` and `{{…}}` are set aside before Markdown is read and put back as they were, in code as plain text. All other text
 * comes out with every character that means something in wikitext as an entity, so the same body never means two things.
 */
import type { Definition, FootnoteDefinition, Nodes, Parents, PhrasingContent, Root, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Format } from './page.ts';

/**
 * Characters of Markdown that take some tens of milliseconds at the worst. The time grows with their square, or faster: 4,000 take
 * 100 ms, 8,000 a second. What is longer is converted where nobody waits.
 */
export const maxMarkdownAtOnce = 2000;

/** What the language engine reads, for a body in either format. */
export function wikitextOf(body: string, format: Format): string {
  return format === 'markdown' ? markdownToWikitext(body) : body;
}

/** A template's wikitext: one paragraph of Markdown alone comes without its tags, so that it can stand within a line. */
export function asTemplate(wikitext: string, format: Format): string {
  const isOne =
    format === 'markdown' && wikitext.startsWith('<p>') && wikitext.indexOf('</p>') === wikitext.length - 4;
  return isOne ? wikitext.slice(3, -4) : wikitext;
}

export function markdownToWikitext(markdown: string): string {
  const { text, spans } = setAside(markdown.replace(tooDeep, '$1'));
  const tree = fromMarkdown(bounded(text), { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  return new Writer(spans, tree).write(tree);
}

/** Nesting beyond which structure is dropped and text stays; the engine has the same bound. */
const maxNesting = 100;

/** Quotes, lists and footnotes opened within one another on one line: the reader's time grows with their square. */
const tooDeep =
  /^((?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]|\[\^[^\]\s]+\]:)){100})(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t]|\[\^[^\]\s]+\]:))+/gm;

/** Marks of emphasis and links. For each the reader looks at those before it in the block. */
const marks = '*_~[]';

/** What it looks at in all, beyond which marks are text: some 2,000 marks in one block, and far more in many. */
const maxLooks = 2_000_000;

/** A mark, or where a block begins for certain: after an empty line, at an item of a list, at a heading. */
const markOrBlock = /[*_~[\]]|^(?:[ \t]*$| {0,3}(?:[-+*][ \t]+(?=\S)|#{1,6}[ \t]))/gm;

/** Puts characters that mean nothing in the place of marks beyond the bound; `restored` brings them back. */
function bounded(text: string): string {
  let before = 0;
  let looks = 0;
  return text.replace(markOrBlock, (found) => {
    const mark = found === '' ? -1 : marks.indexOf(found);
    looks += mark < 0 ? 0 : before;
    before = mark < 0 ? 0 : before + 1;
    return mark < 0 || looks <= maxLooks ? found : String.fromCodePoint(disarmed + mark);
  });
}

/** The first of as many private-use characters as there are marks. */
const disarmed = 0xf0010;

function restored(text: string): string {
  return text.replace(/[\u{f0010}-\u{f0014}]/gu, (one) => marks[(one.codePointAt(0) ?? 0) - disarmed] ?? '');
}

/** Stands for span number n as `‹open›n‹close›`: private-use characters that no font or language knows. */
const open = '\u{f0000}';
const close = '\u{f0001}';
const placeholder = /\u{f0000}(\d+)\u{f0001}/gu;

/** Replaces outermost balanced `[[…]]` and `{{…}}` by placeholders; one pass, unbalanced ones stay text. */
function setAside(markdown: string): { text: string; spans: string[] } {
  const source = markdown.replace(/[\u{f0000}-\u{f001f}]/gu, '\ufffd');
  const closers = matchPairs(source);
  const spans: string[] = [];
  let text = '';
  let at = 0;
  for (let i = 0; i < source.length; i++) {
    const end = closers.get(i);
    if (end === undefined) continue;
    text += `${source.slice(at, i)}${open}${spans.length}${close}`;
    spans.push(source.slice(i, end));
    at = end;
    i = end - 1;
  }
  return { text: text + source.slice(at), spans };
}

/** Start → end of each balanced pair. A link ends at a blank line at the latest, a template need not. */
function matchPairs(source: string): Map<number, number> {
  const pairs = new Map<number, number>();
  const links: number[] = [];
  const braces: { start: number; count: number }[] = [];
  for (const { 0: token, index } of source.matchAll(/\[\[|\]\]|\{{2,}|\}{2,}|\n[ \t]*\n/g)) {
    if (token === '[[') links.push(index);
    else if (token === ']]') {
      const start = links.pop();
      if (start !== undefined) pairs.set(start, index + 2);
    } else if (token.startsWith('{')) braces.push({ start: index, count: token.length });
    else if (token.startsWith('}')) closeBraces(pairs, braces, index, token.length);
    else links.length = 0;
  }
  return pairs;
}

/** `{{{1}}}` is one parameter and no template in braces: a run closes as much as it can of the run that is open. */
function closeBraces(
  pairs: Map<number, number>,
  braces: { start: number; count: number }[],
  index: number,
  count: number,
): void {
  let closed = 0;
  for (let open = braces.at(-1); open && count - closed >= 2; open = braces.at(-1)) {
    const both = Math.min(open.count, count - closed);
    closed += both;
    open.count -= both;
    pairs.set(open.start + open.count, index + closed);
    if (open.count < 2) braces.pop();
  }
}

class Writer {
  private readonly spans: string[];
  private readonly footnotes = new Map<string, FootnoteDefinition>();
  private readonly definitions = new Map<string, Definition>();
  private readonly written = new Set<string>();
  private depth = 0;
  private inTable = false;

  constructor(spans: string[], tree: Root) {
    this.spans = spans;
    for (const node of tree.children) {
      if (node.type === 'footnoteDefinition') this.footnotes.set(node.identifier, node);
    }
    // The first of several definitions counts, wherever it stands.
    for (const node of nodesOf(tree)) {
      if (node.type === 'definition' && !this.definitions.has(node.identifier))
        this.definitions.set(node.identifier, node);
    }
  }

  write(tree: Root): string {
    return this.blocks(tree);
  }

  private blocks(parent: Parents, tight = false): string {
    if (this.depth >= maxNesting) return this.text(textOf(parent));
    this.depth++;
    const written = parent.children.map((node) => this.block(node, tight)).filter((block) => block !== '');
    this.depth--;
    return written.join('\n');
  }

  private block(node: Nodes, tight: boolean): string {
    switch (node.type) {
      case 'paragraph': {
        const inside = this.inline(node);
        // A template may make a table or a list: that must not stand within a paragraph.
        const only = node.children.length === 1 ? node.children[0] : undefined;
        if (only?.type === 'text' && /^(?:\u{f0000}\d+\u{f0001}\s*)+$/u.test(only.value))
          return `\n${inside}\n`;
        return tight ? inside : `<p>${inside}</p>`;
      }
      case 'heading':
        return `<h${node.depth}>${this.inline(node)}</h${node.depth}>`;
      case 'thematicBreak':
        return '<hr />';
      case 'blockquote':
        return `<blockquote>\n${this.blocks(node)}\n</blockquote>`;
      case 'list': {
        const name = node.ordered ? 'ol' : 'ul';
        const start = node.ordered && node.start != null && node.start !== 1 ? ` start="${node.start}"` : '';
        const items = node.children.map((item) => {
          const box = item.checked == null ? '' : item.checked ? '☑ ' : '☐ ';
          return `<li>${box}${this.blocks(item, !item.spread)}</li>`;
        });
        return `<${name}${start}>\n${items.join('\n')}\n</${name}>`;
      }
      case 'code':
        return this.code(node.value, node.lang ?? undefined);
      case 'html':
        return this.raw(node.value);
      case 'table':
        return this.table(node);
      case 'definition':
      case 'footnoteDefinition':
        return '';
      default:
        return this.phrase(node as PhrasingContent);
    }
  }

  private table(table: Table): string {
    this.inTable = true;
    const rows = table.children.map((row, y) => {
      const cells = row.children.map((cell, x) => {
        const name = y === 0 ? 'th' : 'td';
        const align = table.align?.[x];
        return `<${name}${align ? ` style="text-align:${align}"` : ''}>${this.inline(cell)}</${name}>`;
      });
      return `<tr>${cells.join('')}</tr>`;
    });
    this.inTable = false;
    return `<table class="wikitable">\n${rows.join('\n')}\n</table>`;
  }

  private code(value: string, language: string | undefined): string {
    const code = this.raw(value);
    const isPlain =
      language === undefined || !/^[\w+#.-]{1,40}$/.test(language) || /<\/?syntaxhighlight/i.test(code);
    return isPlain
      ? `<pre>${code.replace(/[&<>]/g, entity)}</pre>`
      : `<syntaxhighlight lang="${language}">${code}</syntaxhighlight>`;
  }

  private inline(parent: Parents): string {
    if (this.depth >= maxNesting) return this.text(textOf(parent));
    this.depth++;
    const written = parent.children.map((node) => this.phrase(node as PhrasingContent)).join('');
    this.depth--;
    return written;
  }

  private phrase(node: PhrasingContent): string {
    switch (node.type) {
      case 'text':
        return this.text(node.value);
      case 'emphasis':
        return `<em>${this.inline(node)}</em>`;
      case 'strong':
        return `<strong>${this.inline(node)}</strong>`;
      case 'delete':
        return `<del>${this.inline(node)}</del>`;
      case 'inlineCode':
        return `<code>${escaped(this.raw(node.value))}</code>`;
      case 'break':
        return '<br />';
      case 'html':
        return this.raw(node.value);
      case 'link':
        return this.link(this.raw(node.url), this.inline(node));
      case 'image':
        return this.image(this.raw(node.url), restored(node.alt ?? ''));
      case 'footnoteReference':
        return this.footnote(node.identifier);
      // References without a definition come as text.
      case 'linkReference':
        return this.link(this.urlOf(node), this.inline(node));
      case 'imageReference':
        return this.image(this.urlOf(node), restored(node.alt ?? ''));
      default:
        return '';
    }
  }

  private urlOf({ identifier }: { identifier: string }): string {
    return this.raw(this.definitions.get(identifier)?.url ?? '');
  }

  /** Addresses with a scheme that the engine links lead out; all others are pages of this wiki. */
  private link(url: string, label: string): string {
    if (/^(?:https?:\/\/|ftp:\/\/|mailto:|\/\/)/i.test(url)) {
      return `[${url.replace(/[\s[\]<>"{}|']/g, encodeURIComponent)} ${label}]`;
    }
    if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return label;
    const target = decoded(url);
    if (target === '' || /[[\]{}|<>\n]/.test(target)) return label;
    return `[[${/^[/#.]/.test(target) ? target : `./../${target}`}|${label}]]`;
  }

  /** Pictures come from the wiki alone: nobody's reading is told to another server. */
  private image(url: string, alt: string): string {
    if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(url)) return this.link(url, this.text(alt || url));
    const name = decoded(url).replace(/^\.\//, '');
    return /[[\]{}|<>\n]/.test(name) ? this.text(alt) : `[[File:${name}|alt=${escaped(alt)}]]`;
  }

  private footnote(identifier: string): string {
    const name = escaped(`md-${identifier}`);
    const definition = this.footnotes.get(identifier);
    if (!definition) return '';
    if (this.written.has(identifier)) return `<ref name="${name}" />`;
    this.written.add(identifier);
    return `<ref name="${name}">${this.blocks(definition, true)}</ref>`;
  }

  /** Text for wikitext to show as it is; what was set aside comes back as wikitext. */
  private text(value: string): string {
    let written = '';
    let at = 0;
    for (const match of value.matchAll(placeholder)) {
      written += escaped(restored(value.slice(at, match.index))) + this.span(match[1]);
      at = match.index + match[0].length;
    }
    return written + escaped(restored(value.slice(at)));
  }

  /** In a table each bar that is not its own has a backslash, which the table takes off. */
  private span(index: string | undefined): string {
    const written = this.spans[Number(index)] ?? '';
    return this.inTable ? written.replaceAll('\\|', '|') : written;
  }

  private raw(value: string): string {
    return restored(value).replace(placeholder, (_, index) => this.span(index));
  }
}

/** Everything that is syntax anywhere in wikitext; a line break within a paragraph is a space. */
function escaped(text: string): string {
  return text.replace(/\n/g, ' ').replace(/[&<>"'[\]{}|=*#:;_~!-]/g, entity);
}

function entity(character: string): string {
  return `&#${character.charCodeAt(0)};`;
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    // Not an encoding of anything: it means itself.
    return url;
  }
}

/** All text beneath a node. */
function textOf(node: Nodes): string {
  const texts: string[] = [];
  for (const one of nodesOf(node)) if ('value' in one) texts.push(one.value);
  return texts.join(' ');
}

/** A node and all beneath it in order, found without recursion: it may be nested without end. */
function* nodesOf(node: Nodes): Generator<Nodes> {
  const open: Nodes[] = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    yield next;
    if ('children' in next)
      for (let at = next.children.length - 1; at >= 0; at--) open.push(next.children[at] as Nodes);
  }
}
