/** Writes edited documents in Markdown. Blocks that did not change, and the space between them, keep their bytes. */
import {
  type Before,
  type Block,
  changeCall,
  type DocumentLanguage,
  NotExpressible,
  type Place,
  type Range,
  type SourceBlock,
  type Style,
  writeCall,
  writeInline,
  writeSequence,
} from '@coppice/wikitext/document';
import { readMarkdown } from './read.ts';
import { inlineMarkdown } from './write-inline.ts';
import { alignColumns, changeTable, writeTable } from './write-table.ts';
import type { Writing } from './writing.ts';

/** Markdown as a language of documents, for `documentsOf`. */
export function markdownDocuments(): DocumentLanguage {
  return {
    read: readMarkdown,
    complete: asRead,
    write: (before, now, style) => new BlockWriter(before, style).document(now),
  };
}

function asRead(block: Omit<Block, 'key'>): void {
  alignColumns(block);
  // A line break alone is a block of HTML.
  if (block.units?.every(({ node }) => node?.type === 'hardBreak')) block.units = [];
}

const inPlace: Place = { kind: 'block', isOneLine: false, isLineStart: true };
const oneLine: Place = { kind: 'block', isOneLine: true, isLineStart: true };
const inHeading: Place = { kind: 'heading', isOneLine: true, isLineStart: false };
/** Blocks whose source says the same wherever it stands, as long as it is one line or at the top. */
const movable = new Set(['heading', 'codeBlock', 'rule', 'formula', 'table', 'call', 'source']);

/** `prefix`: marks that begin each further line of what is within quotes and lists. */
class BlockWriter implements Writing {
  readonly source: string;
  readonly #before: Before;
  readonly #style: (block: Block) => Style;

  constructor(before: Before, style: (block: Block) => Style) {
    this.source = before.source;
    this.#before = before;
    this.#style = style;
  }

  document(now: Block): string {
    const { root } = this.#before;
    return this.#blocks({ content: root.content, children: root.children ?? [] }, now.children ?? [], '');
  }

  inline(old: SourceBlock | undefined, now: Block, place: Place): string {
    const from = old ?? this.#before.find(now);
    const style = this.#style(now);
    const leaf = from?.units && style !== 'anew' ? { units: from.units, content: from.content } : undefined;
    try {
      const language = inlineMarkdown(this.source, style, now.units?.at(-1));
      return writeInline({ source: this.source, language, place }, leaf, now.units ?? []);
    } catch (error) {
      throw error instanceof NotExpressible ? new NotExpressible(error.message, now.path) : error;
    }
  }

  #slice({ start, end }: Range): string {
    return this.source.slice(start, end);
  }

  #blocks(
    container: { content: Range; children: readonly SourceBlock[] },
    now: readonly Block[],
    prefix: string,
    isTight = false,
  ): string {
    return writeSequence(this.source, container, now, {
      change: (old, block) => this.#change(old, block, prefix),
      write: (block) => this.#write(block, prefix),
      separator: (before, after) =>
        isTight && before.type === 'paragraph' && after.type.endsWith('List') && !beginsEmpty(after)
          ? `\n${prefix}`
          : `\n${prefix.trimEnd()}\n${between(before, after)}${prefix}`,
    });
  }

  #change(old: SourceBlock, now: Block, prefix: string): string {
    const { origin, content, attrs } = old;
    const open = this.source.slice(origin.start, content.start);
    const close = this.source.slice(content.end, origin.end);
    switch (now.type) {
      case 'paragraph':
        return this.inline(old, now, inPlace);
      case 'heading':
        return open.replace(/^#+/, '#'.repeat(levelOf(now))) + this.inline(old, now, inHeading) + close;
      case 'bulletList':
      case 'orderedList':
        return this.#changeList(old, now, prefix);
      case 'quote':
        return (
          open + this.#blocks({ content, children: old.children ?? [] }, now.children ?? [], `${prefix}> `)
        );
      case 'callout':
        return JSON.stringify(attrs) === JSON.stringify(now.attrs) && old.children?.length
          ? open + this.#blocks({ content, children: old.children ?? [] }, now.children ?? [], `${prefix}> `)
          : this.#write(now, prefix);
      case 'codeBlock':
        return this.#changeCode(old, now, prefix);
      case 'formula':
        return open + String(now.attrs.source) + close;
      case 'table':
        return changeTable(this, old, now, prefix);
      case 'call':
        return changeCall(this.#slice(origin), now.attrs);
      default:
        return this.#write(now, prefix);
    }
  }

  #write(now: Block, prefix: string): string {
    const from = this.#before.find(now);
    if (from && from.key === now.key && movable.has(now.type) && !this.#slice(from.origin).includes('\n'))
      return this.#slice(from.origin);
    const lines = (text: string) => text.replaceAll('\n', `\n${prefix}`);
    switch (now.type) {
      case 'paragraph':
        return this.inline(undefined, now, oneLine);
      case 'heading':
        return `${'#'.repeat(levelOf(now))} ${this.inline(undefined, now, inHeading)}`;
      case 'bulletList':
      case 'orderedList':
        return this.#writeList(now, prefix);
      case 'quote':
        return `> ${this.#sequence(now, `${prefix}> `)}`;
      case 'callout': {
        const { kind, title } = now.attrs;
        const name = String(kind).replace(/[^\w-]/g, '');
        const heading = title === null ? '' : ` ${String(title).replaceAll('\n', ' ')}`;
        const text = this.#sequence(now, `${prefix}> `);
        return `> [!${name}]${heading}${text === '' ? '' : `\n${prefix}> ${text}`}`;
      }
      case 'codeBlock': {
        const fence = fenceFor(now.text ?? '');
        const language = String(now.attrs.language).replace(/[\s`{}]/g, '');
        return lines(`${fence}${language}\n${now.text ?? ''}\n${fence}`);
      }
      case 'rule':
        return '---';
      case 'formula':
        return lines(`$$\n${String(now.attrs.source)}\n$$`);
      case 'table':
        return writeTable(this, now, prefix);
      case 'call':
        return lines(from ? changeCall(this.#slice(from.origin), now.attrs) : writeCall(now.attrs));
      case 'source':
        return lines(String(now.attrs.text));
      case 'figure':
        return `![${String(now.attrs.alt ?? '').replace(/[[\]\n]/g, ' ')}](${address(now.attrs.file)})`;
      default:
        throw new NotExpressible(`Markdown has no "${now.type}".`, now.path);
    }
  }

  #sequence(now: Block, prefix: string, isTight = false): string {
    return this.#blocks({ content: { start: 0, end: 0 }, children: [] }, now.children ?? [], prefix, isTight);
  }

  #changeCode(old: SourceBlock, now: Block, prefix: string): string {
    const { origin, content, attrs } = old;
    const fence = /^(?:`{3,}|~{3,})/.exec(this.#slice(origin))?.[0] ?? '';
    const text = now.text ?? '';
    if (attrs.language !== now.attrs.language || text.includes(fence) || content.end <= content.start)
      return this.#write(now, prefix);
    const open = this.source.slice(origin.start, content.start);
    return open + prefix + text.replaceAll('\n', `\n${prefix}`) + this.source.slice(content.end, origin.end);
  }

  #writeList(list: Block, prefix: string): string {
    const first = startOf(list);
    return (list.children ?? [])
      .map((item, index) =>
        this.#writeItem(item, list.type === 'orderedList' ? `${first + index}.` : '-', prefix),
      )
      .join(`\n${prefix}`);
  }

  #writeItem(item: Block, sign: string, prefix: string): string {
    const isTask = item.type === 'taskItem';
    if (!isTask && item.type !== 'listItem')
      throw new NotExpressible(`A list has no "${item.type}".`, item.path);
    const box = isTask ? `[${item.attrs.checked === true ? 'x' : ' '}] ` : '';
    const text = this.#sequence(item, prefix + ' '.repeat(sign.length + 1), true);
    const [only] = item.children ?? [];
    if (only && /List$/.test(only.type)) throw new NotExpressible('An item begins with text.', only.path);
    return `${sign} ${box}${text}`.trimEnd();
  }

  #changeList(old: SourceBlock, now: Block, prefix: string): string {
    const { content, children = [] } = old;
    const sign = this.source[old.origin.start] ?? '-';
    const isOrdered = now.type === 'orderedList';
    if (isOrdered && old.attrs.start !== now.attrs.start) return this.#writeList(now, prefix);
    const [first, second] = children;
    const gap = first && second ? this.source.slice(first.origin.end, second.origin.start) : `\n${prefix}`;
    let number = startOf(now) - 1;
    const mark = isOrdered
      ? (/^\d+([.)])/.exec(this.source.slice(old.origin.start, old.origin.start + 12))?.[1] ?? '.')
      : '';
    const signs = (item: SourceBlock) => this.source.slice(item.origin.start, item.content.start);
    const count = (item: SourceBlock) => {
      number = Number.parseInt(signs(item), 10);
      return item;
    };
    // The first number is that of the list.
    const numbered = (text: string, before: string) => {
      if (!isOrdered || before !== '' || number === startOf(now)) return text;
      number = startOf(now);
      return text.replace(/^\d+/, String(number));
    };
    return writeSequence(this.source, { content, children }, now.children ?? [], {
      keep: (text, item, before) => {
        count(item);
        return numbered(text, before);
      },
      change: (item, one, before) => numbered(this.#changeItem(count(item), one, prefix), before),
      write: (item) => this.#writeItem(item, isOrdered ? `${++number}${mark}` : sign, prefix),
      separator: () => (gap.trim() === '' || /^[\s>]*$/.test(gap) ? gap : `\n${prefix}`),
    });
  }

  #changeItem(old: SourceBlock, now: Block, prefix: string): string {
    const { origin, content, children = [] } = old;
    let open = this.source.slice(origin.start, content.start);
    if (now.type === 'taskItem') open = open.replace(/\[[ xX]\]/, now.attrs.checked === true ? '[x]' : '[ ]');
    const width = (/^(?:[-+*]|\d+[.)])[ \t]*/.exec(open)?.[0] ?? '- ').length;
    const space = children.length === 0 && !/\s$/.test(open) ? ' ' : '';
    return (
      open + space + this.#blocks({ content, children }, now.children ?? [], prefix + ' '.repeat(width), true)
    );
  }
}

/** A sign without text directly beneath a line is part of that, or makes it a heading. */
function beginsEmpty({ children = [] }: Block): boolean {
  return children[0]?.children?.length === 0;
}

/** Two lists of a kind beside each other would be one. */
function between(before: Block, after: Block): string {
  return before.type === after.type && /List$/.test(before.type) ? '<!-- -->\n\n' : '';
}

function fenceFor(text: string): string {
  let longest = 2;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return '`'.repeat(longest + 1);
}

function startOf({ attrs }: Block): number {
  const start = Number(attrs.start ?? 1);
  return Number.isInteger(start) && start >= 0 && start < 1e9 ? start : 1;
}

function address(file: unknown): string {
  const written = String(file);
  return /[\s()<>]/.test(written) ? `<${written.replace(/[<>\n]/g, '')}>` : written;
}

function levelOf({ attrs, path }: Block): number {
  const level = Number(attrs.level);
  if (!Number.isInteger(level) || level < 1 || level > 6)
    throw new NotExpressible('The level of a heading is 1 to 6.', path);
  return level;
}
