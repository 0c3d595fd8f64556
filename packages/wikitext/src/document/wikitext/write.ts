/** Writes edited documents in wikitext. Blocks that did not change, and the space between them, keep their bytes. */
import type { Rules } from '../../options.ts';
import { coppiceRules } from '../../rules.ts';
import { NotExpressible } from '../edited.ts';
import { type Place, writeInline } from '../inline.ts';
import type { Before, DocumentLanguage, Style } from '../language.ts';
import type { Block, SourceBlock } from '../nodes.ts';
import { type Sequence, writeSequence } from '../sequence.ts';
import { changeCall, writeCall } from './calls.ts';
import { changeFile, partsOf, writeFile } from './file-attributes.ts';
import { readWikitext, type WikitextOptions } from './read.ts';
import { completeTask } from './tasks.ts';
import { inlineWikitext } from './write-inline.ts';
import { changeList, writeList } from './write-list.ts';
import { changeTable, writeTable } from './write-table.ts';
import type { Writing } from './writing.ts';

/** Wikitext as a language of documents, for `documentsOf`. */
export function wikitextDocuments(options: WikitextOptions = {}): DocumentLanguage {
  return {
    read: (source) => readWikitext(source, options),
    complete: completeTask,
    write: (before, now, style) =>
      new BlockWriter(before, options.rules ?? coppiceRules, style).document(now),
  };
}

const block: Place = { kind: 'block', isOneLine: false, isLineStart: true };
const heading: Place = { kind: 'heading', isOneLine: true, isLineStart: false };
const label: Place = { kind: 'label', isOneLine: false, isLineStart: false };

/** Blocks that may stand in the line of a tag. */
const besideTags = new Set(['paragraph', 'call', 'source', 'figure', 'formula', 'codeBlock']);

/** Blocks whose source says the same wherever it stands. */
const movable = new Set([
  'heading',
  'quote',
  'callout',
  'codeBlock',
  'rule',
  'formula',
  'table',
  'figure',
  'call',
  'source',
]);

/** Blocks that are changed in place wherever they stand. */
const changeable = new Set(['heading', 'quote', 'callout', 'codeBlock', 'table']);

class BlockWriter implements Writing {
  readonly source: string;
  readonly #before: Before;
  readonly #rules: Rules;
  readonly #style: (block: Block) => Style;

  constructor(before: Before, rules: Rules, style: (block: Block) => Style) {
    this.source = before.source;
    this.#before = before;
    this.#rules = rules;
    this.#style = style;
  }

  document(now: Block): string {
    const { root } = this.#before;
    return this.blocks({ content: root.content, children: root.children ?? [] }, now.children ?? []);
  }

  /** Writes blocks in place of others. */
  blocks(
    container: { content: SourceBlock['content']; children: readonly SourceBlock[] },
    now: readonly Block[],
    more: Partial<Sequence> = {},
  ): string {
    return writeSequence(this.source, container, now, {
      change: (old, one) => this.change(old, one),
      write: (one) => this.write(one),
      separator: separatorOf,
      ...more,
    });
  }

  inline(old: SourceBlock | undefined, now: Block, place: Place): string {
    const from = old ?? this.#before.find(now);
    const style = this.#style(now);
    const leaf = from?.units && style !== 'anew' ? { units: from.units, content: from.content } : undefined;
    const language = inlineWikitext(this.source, this.#rules, style);
    try {
      return writeInline({ source: this.source, language, place }, leaf, now.units ?? []);
    } catch (error) {
      throw error instanceof NotExpressible ? new NotExpressible(error.message, now.path) : error;
    }
  }

  find(now: Block): SourceBlock | undefined {
    return this.#before.find(now);
  }

  slice({ start, end }: { start: number; end: number }): string {
    return this.source.slice(start, end);
  }

  change(old: SourceBlock, now: Block): string {
    const { origin, content, attrs } = old;
    const open = this.source.slice(origin.start, content.start);
    const close = this.source.slice(content.end, origin.end);
    const written = this.slice(origin);
    switch (now.type) {
      case 'paragraph':
        return open + this.inline(old, now, block) + close;
      case 'heading':
        return this.#changeHeading(old, now);
      case 'bulletList':
      case 'orderedList':
      case 'definitionList':
        return changeList(this, old, now, '');
      case 'table':
        return changeTable(this, old, now);
      case 'callout':
        return this.#changeBox(
          old,
          now,
          open.replace(`callout-${attrs.kind}`, `callout-${kindOf(now)}`),
          close,
        );
      case 'quote':
        return this.#changeBox(old, now, open, close);
      case 'codeBlock':
        return codeTag(open, attrs.language, now) + (now.text ?? '') + close;
      case 'formula':
        return now.attrs.display === true ? open + String(now.attrs.source) + close : this.write(now);
      case 'figure':
        return this.#changeFigure(old, now);
      case 'call':
        return changeCall(written, now.attrs, this.#rules);
      default:
        return this.write(now);
    }
  }

  /** Lists, tables and other blocks with signs at the start of their lines do not stand in the line of a tag. */
  #changeBox(old: SourceBlock, now: Block, open: string, close: string): string {
    const children = now.children ?? [];
    const inside = this.blocks({ content: old.content, children: old.children ?? [] }, children);
    const [first, last] = [children[0], children.at(-1)].map((child) => child && !besideTags.has(child.type));
    const start = first && !open.endsWith('\n') && !inside.startsWith('\n') ? '\n' : '';
    const end = last && !close.startsWith('\n') && !inside.endsWith('\n') ? '\n' : '';
    return open + start + inside + end + close;
  }

  write(now: Block): string {
    const from = this.#before.find(now);
    if (from && from.key === now.key && movable.has(now.type)) return this.slice(from.origin);
    // Elsewhere, what the document does not say of it stays as well, such as the class of a table.
    if (from && changeable.has(now.type)) return this.change(from, now);
    switch (now.type) {
      case 'paragraph':
        return this.inline(undefined, now, block);
      case 'heading': {
        const marks = '='.repeat(levelOf(now));
        return `${marks} ${this.inline(undefined, now, heading)} ${marks}`;
      }
      case 'bulletList':
      case 'orderedList':
      case 'definitionList':
        return writeList(this, now, '');
      case 'table':
        return writeTable(this, now);
      case 'quote':
        return `<blockquote>\n${this.sequence(now)}\n</blockquote>`;
      case 'callout':
        return `<div class="callout callout-${kindOf(now)}">\n${this.sequence(now)}\n</div>`;
      case 'codeBlock':
        return `<syntaxhighlight lang="${languageOf(now)}">\n${now.text ?? ''}\n</syntaxhighlight>`;
      case 'rule':
        return '----';
      case 'formula':
        return `<math display="block">${String(now.attrs.source)}</math>`;
      case 'figure':
        return from
          ? this.#changeFigure(from, now)
          : writeFile(now.attrs, this.inline(undefined, now, label));
      case 'call':
        return from ? changeCall(this.slice(from.origin), now.attrs, this.#rules) : writeCall(now.attrs);
      case 'source':
        return String(now.attrs.text);
      default:
        throw new NotExpressible(`Wikitext has no "${now.type}".`, now.path);
    }
  }

  /** New blocks one after the other. */
  sequence(now: Block): string {
    const none = { start: 0, end: 0 };
    return this.blocks({ content: none, children: [] }, now.children ?? []);
  }

  #changeHeading(old: SourceBlock, now: Block): string {
    const { origin, content, attrs } = old;
    const open = this.source.slice(origin.start, content.start);
    const close = this.source.slice(content.end, origin.end);
    const marks = '='.repeat(levelOf(now));
    const was = Number(attrs.level);
    return (
      marks + open.slice(was) + this.inline(old, now, heading) + close.slice(0, close.length - was) + marks
    );
  }

  #changeFigure(old: SourceBlock, now: Block): string {
    const written = this.slice(old.origin);
    const hasCaption = old.content.end > old.content.start;
    const part = hasCaption ? (partsOf(written).at(-1) ?? '') : '';
    const [before = '', after = ''] = [/^\s*/.exec(part)?.[0], part.slice(part.trimEnd().length)];
    const caption = this.inline(old, now, label);
    return changeFile(written, old.attrs, now.attrs, {
      wasShown: hasCaption,
      text: caption === '' ? '' : before + caption + after,
    });
  }
}

function kindOf({ attrs }: Block): string {
  return String(attrs.kind);
}

function languageOf({ attrs }: Block): string {
  return String(attrs.language).replace(/[^\p{L}\p{N}+#._-]/gu, '');
}

/** The tag of code with another language; its other attributes stay. */
function codeTag(open: string, language: unknown, now: Block): string {
  if (language === now.attrs.language) return open;
  const stated = `lang="${languageOf(now)}"`;
  const changed = open.replace(/(<\w+\b[^<>]*?\s)lang\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/i, `$1${stated}`);
  return changed === open ? `<syntaxhighlight ${stated}>${open.slice(open.indexOf('>') + 1)}` : changed;
}

function levelOf({ attrs, path }: Block): number {
  const level = Number(attrs.level);
  if (!Number.isInteger(level) || level < 1 || level > 6)
    throw new NotExpressible('The level of a heading is 1 to 6.', path);
  return level;
}

function separatorOf(before: Block, after: Block): string {
  if (before.type === 'heading') return '\n';
  if (before.type === 'call' && (after.type === 'call' || after.type === 'paragraph')) return '\n';
  const isList = (one: Block) => one.type.endsWith('List');
  if (isList(before) && isList(after) && before.type !== after.type) return '\n';
  return '\n\n';
}
