/** Documents of LibreOffice and others (.odt): their elements as HTML. */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { bytesOf, type FileTree } from '../documents/file-tree.ts';
import { hasManyTags, manyElements } from '../documents/html.ts';
import { addDocument, escaped, reading } from './office-html.ts';
import { type OfficeStyles, readStyles } from './open-document-styles.ts';
import type { Unpacking } from './unpacked-tree.ts';

/** Uncompressed size of one part of a document. */
const maxPartBytes = 200_000_000;
const maxRepeated = 100;
/** Text of all cells that are written again because the document says so; tables in tables multiply it. */
const maxRepeatedLength = 20_000_000;

/** `name`: of the file, without its ending. */
export async function unpackOdt(tree: FileTree, name: string, to: Unpacking): Promise<void> {
  const path = to.free('', name, '.md');
  const pictures = new Map<string, string>();
  for (const path of tree.paths.filter((path) => path.startsWith('Pictures/'))) {
    const bare = path.slice('Pictures/'.length).replace(/\.\w+$/, '');
    const picture = to.free('', `${name}-${bare}`, /\.\w+$/.exec(path)?.[0] ?? '');
    pictures.set(path, picture);
    await to.add(picture, tree.open(path));
  }
  const part = async (path: string) =>
    tree.paths.includes(path) ? (await bytesOf(tree, path, maxPartBytes)).toString('utf8') : '';
  const formulas = new Map<string, string>();
  for (const path of tree.paths.filter((path) => /^[^/]+\/content\.xml$/.test(path))) {
    const shown = formulaIn(await part(path));
    if (shown !== undefined) formulas.set(path.slice(0, path.indexOf('/')), shown);
  }
  const content = await part('content.xml');
  const styles = await part('styles.xml');
  const { html, missed } = await reading(async () => {
    if (hasManyTags(content) || hasManyTags(styles)) throw new Error(manyElements);
    return new DocumentReader(readStyles([styles, content]), { pictures, formulas }).read(content);
  });
  await addDocument(html, { path, name, missed }, to);
}

function formulaIn(xml: string): string | undefined {
  const bare = xml.slice(Math.max(0, xml.search(/<(?:\w+:)?math\b/))).replace(/(<\/?)\w+:/g, '$1');
  const end = bare.lastIndexOf('</math>');
  if (!bare.startsWith('<math') || end < 0) return undefined;
  // The source of the formula is written in a language of its own.
  return `${bare.slice(0, end).replace(/<annotation\b[\s\S]*?(?:<\/annotation>|$)/g, '')}</math>`;
}

const elements: Readonly<Record<string, string>> = {
  'text:list-header': 'li',
  'table:table': 'table',
  'table:table-row': 'tr',
  'table:table-cell': 'td',
};
/** Parts that show no text, or repeat it. */
const skipped =
  /^(?:text:tracked-changes|office:annotation|text:note-citation|text:table-of-content|office:forms|office:automatic-styles|office:scripts|office:font-face-decls)$/;

interface Frame {
  /** In pixels. */
  width?: number | undefined;
  picture?: string;
  formula?: string;
  words: string;
}

class DocumentReader {
  readonly #styles: OfficeStyles;
  readonly #objects: { pictures: ReadonlyMap<string, string>; formulas: ReadonlyMap<string, string> };
  #out = '';
  /** Texts around the notes and cells that are open. */
  readonly #around: string[] = [];
  readonly #notes: string[] = [];
  /** Open lists, with the number of the next item. */
  readonly #lists: { style: string; number: number }[] = [];
  /** Style of a list → number after the last item. */
  readonly #numbers = new Map<string, number>();
  readonly #frames: Frame[] = [];
  readonly #missed = new Set<string>();
  #repeatedLength = 0;
  #isCode = false;
  #isCaption = false;

  constructor(
    styles: OfficeStyles,
    objects: { pictures: ReadonlyMap<string, string>; formulas: ReadonlyMap<string, string> },
  ) {
    this.#styles = styles;
    this.#objects = objects;
  }

  read(xml: string): { html: string; missed: Set<string> } {
    let skipping = 0;
    const ends: (() => void)[] = [];
    const parser = new SaxesParser();
    parser.on('opentag', (tag: SaxesTagPlain) => {
      if (tag.name === 'office:annotation') this.#missed.add(tag.name);
      const isHidden = skipping === 0 && this.#isHidden(tag);
      if (isHidden) this.#missed.add('text:display');
      if (skipping > 0 || isHidden || skipped.test(tag.name)) skipping++;
      else ends.push(this.#open(tag));
    });
    parser.on('closetag', () => {
      if (skipping > 0) skipping--;
      else ends.pop()?.();
    });
    parser.on('text', (text) => {
      const frame = this.#frames.at(-1);
      if (skipping > 0) return;
      if (this.#isCaption && frame) frame.words ||= text;
      else this.#out += escaped(text);
    });
    parser.write(xml).close();
    const notes = this.#notes.length > 0 ? `<ol>${this.#notes.join('')}</ol>` : '';
    const html = (this.#out + notes)
      .replaceAll('</pre><pre>', '\n')
      .replaceAll('</blockquote><blockquote>', '');
    return { html, missed: this.#missed };
  }

  #isHidden({ name, attributes }: SaxesTagPlain): boolean {
    if (name === 'text:hidden-text' || name === 'text:hidden-paragraph')
      return attributes['text:is-hidden'] === 'true';
    if (name === 'text:section') return attributes['text:display'] === 'none';
    return /^text:(?:p|h|span)$/.test(name) && this.#styles.isHidden(attributes['text:style-name'] ?? '');
  }

  /** Writes what stands before the content of an element, and returns how it ends. */
  #open({ name, attributes }: SaxesTagPlain): () => void {
    const style = attributes['text:style-name'] ?? '';
    switch (name) {
      case 'text:h':
        return this.#element(`h${Math.min(6, Math.max(1, Number(attributes['text:outline-level']) || 1))}`);
      case 'text:p':
        return this.#paragraph(this.#styles.blockOf(style));
      case 'text:span':
        return this.#element(...this.#styles.tagsOf(style));
      case 'text:a':
        return this.#put(`<a href="${escaped(attributes['xlink:href'] ?? '')}">`, '</a>');
      case 'text:list':
        return this.#list(style, attributes['text:continue-numbering'] === 'true');
      case 'text:list-item': {
        const list = this.#lists.at(-1);
        const stated = Number(attributes['text:start-value']);
        if (list && stated > 0) list.number = stated;
        // Only a list as a whole can begin with another number.
        const isFirst = list !== undefined && this.#out.endsWith('<ol>');
        if (isFirst && list.number > 1) this.#out = `${this.#out.slice(0, -1)} start="${list.number}">`;
        if (list) list.number++;
        return this.#element('li');
      }
      case 'text:line-break':
        return this.#put(this.#isCode ? '\n' : '<br>');
      case 'text:tab':
        return this.#put(this.#isCode ? '\t' : ' ');
      case 'text:s': {
        const count = Math.min(maxRepeated, Number(attributes['text:c']) || 1);
        return this.#put(this.#isCode ? ' '.repeat(count) : ' ');
      }
      case 'text:bookmark':
      case 'text:bookmark-start':
      case 'text:reference-mark':
        return this.#put(`<a id="${escaped(attributes['text:name'] ?? '')}"></a>`);
      case 'text:note-body':
        return this.#note();
      case 'table:table-cell':
      case 'table:table-row':
        return this.#repeated(name, attributes);
      case 'draw:frame':
        this.#frames.push({ words: '', width: pixelsIn(attributes['svg:width'] ?? '') });
        return () => this.#frame();
      case 'svg:title':
      case 'svg:desc':
        this.#isCaption = true;
        return () => {
          this.#isCaption = false;
        };
      case 'draw:image':
      case 'draw:object':
      case 'draw:plugin':
        return this.#object(name, (attributes['xlink:href'] ?? '').replace(/^\.\//, ''));
      default:
        return this.#element(...[elements[name] ?? []].flat());
    }
  }

  #list(own: string, isContinued: boolean): () => void {
    const style = own || (this.#lists.at(-1)?.style ?? '');
    this.#lists.push({ style, number: isContinued ? (this.#numbers.get(style) ?? 1) : 1 });
    const isNumbered = this.#styles.isNumbered(style, this.#lists.length);
    return this.#after(this.#element(isNumbered ? 'ol' : 'ul'), () => {
      this.#numbers.set(style, this.#lists.pop()?.number ?? 1);
    });
  }

  #put(text: string, end = ''): () => void {
    this.#out += text;
    return () => {
      this.#out += end;
    };
  }

  #element(...tags: string[]): () => void {
    const end = tags.toReversed().map((tag) => `</${tag}>`);
    return this.#put(tags.map((tag) => `<${tag}>`).join(''), end.join(''));
  }

  #after(end: () => void, more: () => void): () => void {
    return () => {
      end();
      more();
    };
  }

  #paragraph(block: string): () => void {
    if (block === 'blockquote') return this.#put('<blockquote><p>', '</p></blockquote>');
    if (block !== 'pre') return this.#element(block);
    this.#isCode = true;
    return this.#after(this.#element('pre'), () => {
      this.#isCode = false;
    });
  }

  /** Notes stand below the text, as in documents of Word. */
  #note(): () => void {
    const number = this.#notes.length + 1;
    this.#notes.push('');
    this.#around.push(this.#out);
    this.#out = '';
    return () => {
      this.#notes[number - 1] = `<li id="footnote-${number}">${this.#out}</li>`;
      this.#out = `${this.#around.pop()}<sup><a href="#footnote-${number}">${number}</a></sup>`;
    };
  }

  /** Cells and rows that are alike are written once. */
  #repeated(name: string, attributes: SaxesTagPlain['attributes']): () => void {
    const isRow = name === 'table:table-row';
    const count = Number(attributes[`table:number-${isRow ? 'rows' : 'columns'}-repeated`]) || 1;
    const spans = [
      ['colspan', 'table:number-columns-spanned'],
      ['rowspan', 'table:number-rows-spanned'],
    ].flatMap(([span, from = '']) =>
      Number(attributes[from]) > 1 ? `${span}="${Number(attributes[from])}"` : [],
    );
    const tag = isRow ? 'tr' : 'td';
    this.#around.push(this.#out);
    this.#out = `<${[tag, ...spans].join(' ')}>`;
    return () => {
      const written = `${this.#out}</${tag}>`;
      const times = Math.min(maxRepeated, count);
      this.#repeatedLength += written.length * (times - 1);
      if (this.#repeatedLength > maxRepeatedLength) throw new Error('its tables repeat too many cells');
      this.#out = this.#around.pop() + written.repeat(times);
    };
  }

  #object(name: string, target: string): () => void {
    const frame = this.#frames.at(-1);
    if (name === 'draw:image' && frame) {
      const picture = this.#objects.pictures.get(target);
      const address = picture === undefined ? undefined : encodeURI(picture);
      const shown = address ?? (/^https?:/.test(target) ? target : undefined);
      if (shown !== undefined) frame.picture ??= shown;
    } else if (frame) {
      const formula = this.#objects.formulas.get(target);
      if (formula === undefined) this.#missed.add(name);
      else frame.formula = formula;
    }
    return () => {};
  }

  #frame(): void {
    const { formula, picture, width, words } = this.#frames.pop() ?? { words: '' };
    const size = width === undefined ? '' : ` width="${width}"`;
    if (formula !== undefined) this.#out += formula;
    else if (picture !== undefined)
      this.#out += `<img src="${escaped(picture)}" alt="${escaped(words)}"${size}>`;
  }
}

const perUnit: Readonly<Record<string, number>> = {
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  in: 96,
  pt: 96 / 72,
  px: 1,
};

/** Length in CSS pixels. */
function pixelsIn(length: string): number | undefined {
  const [, number = '', unit = ''] = /^(\d{1,5}(?:\.\d{1,6})?)(cm|mm|in|pt|px)$/.exec(length) ?? [];
  const pixels = Math.round(Number(number) * (perUnit[unit] ?? 0));
  return pixels > 0 ? pixels : undefined;
}
