/**
 * Parses source to a lossless tree. Calls, arguments, comments and tags with content come from `scan`, which finds them
 * anywhere; links, headings and tables come from `parse`, so that both trees agree on what they are. All become intervals, from
 * which `nest` builds the tree. Each kind of node has its own method.
 */
import { headingLine } from '../blocks/heading.ts';
import { extensionTags } from '../constructs.ts';
import { type Element, firstFrom } from '../elements.ts';
import { limits } from '../limits.ts';
import type { Rules } from '../options.ts';
import { parse } from '../parse.ts';
import { coppiceRules } from '../rules.ts';
import { allowedElements } from '../sanitize.ts';
import { scan } from '../scan.ts';
import { inlineText } from '../text.ts';
import type * as rendered from '../tree.ts';
import { isBuiltIn } from '../words.ts';
import { nameOf } from './call-name.ts';
import { type Interval, nest, numberCells } from './nest.ts';
import type {
  CellNode,
  HeadingNode,
  LinkNode,
  PageNode,
  ParameterNode,
  Range,
  SourceNode,
  SourceTree,
  TableNode,
  TagAttribute,
  TemplateNode,
} from './nodes.ts';
import { entitiesIn, readAttributes, readTagAttributes, tagAt } from './tag-parts.ts';

/** Any text is valid, so this never throws. `path` is the page's own path, for relative links. */
export function readSource(source: string, options: { rules?: Rules; path?: string } = {}): SourceTree {
  const { rules = coppiceRules, path } = options;
  const collector = new Collector(source, rules, path);
  collector.part(0, source.length, 0);
  const page: PageNode = { type: 'page', start: 0, end: source.length, children: [] };
  nest({ node: page, contents: [page] }, collector.intervals);
  return { source, rules, page, path };
}

class Collector {
  readonly intervals: Interval[] = [];
  readonly #source: string;
  readonly #rules: Rules;
  readonly #path: string | undefined;
  /** Elements that `scan` found in this part, outer ones first. */
  #elements: (Range & { kind: Element['kind'] })[] = [];
  #cells: CellNode[] = [];

  constructor(source: string, rules: Rules, path: string | undefined) {
    this.#source = source;
    this.#rules = rules;
    this.#path = path;
  }

  /** Reads the text between two offsets as a page. */
  part(start: number, end: number, depth: number): void {
    const outer = this.#elements;
    this.#elements = [];
    const text = this.#source.slice(start, end);
    this.#scan(text, start, depth);
    for (const entity of entitiesIn(text, start)) this.#add(entity);
    this.#elements.sort((left, right) => left.start - right.start || right.end - left.end);
    this.#walk(parse(text, { rules: this.#rules, path: this.#path }).children, start, 0);
    this.#elements = outer;
  }

  // Calls, comments and extensions ---------------------------------------------------------------------------------

  #scan(text: string, base: number, depth: number): void {
    const { hasLooseNotes, strictCalls, tags } = this.#rules;
    const elements = scan(text, { isIncluded: false, hasTemplates: true, hasLooseNotes, strictCalls, tags });
    for (const [index, element] of elements.entries()) {
      const range = { start: base + element.start, end: base + element.end };
      this.#elements.push({ ...range, kind: element.kind });
      switch (element.kind) {
        case 'comment':
          this.#add({ type: 'comment', ...range });
          break;
        case 'skip':
          this.#skip(element, text, base, depth);
          break;
        case 'extension':
          this.#extension(element, text, base, depth);
          break;
        case 'argument':
          this.#argument(element, text, base);
          break;
        default:
          this.#template(elements, index, text, base);
      }
    }
  }

  #skip(element: Element, text: string, base: number, depth: number): void {
    const range = { start: base + element.start, end: base + element.end };
    const written = text.slice(element.start, element.end);
    const open = written.indexOf('>') + 1;
    const close = written.lastIndexOf('</');
    if (element.name !== 'includeonly' || close < open || depth >= limits.fragmentDepth) {
      this.#add({ type: 'include-tag', ...range });
      return;
    }
    const body = { start: range.start + open, end: range.start + close };
    this.#add({ type: 'include-only', ...range, body, children: [] }, [body]);
    this.part(body.start, body.end, depth + 1);
  }

  #extension(element: Element, text: string, base: number, depth: number): void {
    const range = { start: base + element.start, end: base + element.end };
    const { name, bodyStart, bodyEnd } = element;
    const body = bodyStart < 0 ? undefined : { start: base + bodyStart, end: base + bodyEnd };
    const open = text.slice(element.start, bodyStart < 0 ? element.end : bodyStart);
    const attributes = readTagAttributes(this.#source, open, range.start);
    this.#add({ type: 'extension', name, attributes, ...range, body, children: [] }, body ? [body] : []);
    const inside = extensionTags.get(name)?.inside;
    if (!body || !inside || depth >= limits.fragmentDepth) return;
    // `parse` alters such content first, so it is read here separately.
    if (inside === 'loose wikitext') this.part(body.start, body.end, depth + 1);
    else this.#scan(text.slice(bodyStart, bodyEnd), body.start, depth + 1);
  }

  #argument({ start, end, parts }: Element, text: string, base: number): void {
    const [first, fallback] = parts;
    if (!first) return;
    const contents = parts.map((part) => ({ start: base + part.start, end: base + part.end }));
    this.#add(
      {
        type: 'argument',
        name: text.slice(first.start, first.end).trim(),
        default: fallback && text.slice(fallback.start, fallback.end),
        defaultRange: contents[1],
        start: base + start,
        end: base + end,
        children: [],
      },
      contents,
    );
  }

  #template(elements: readonly Element[], index: number, text: string, base: number): void {
    const element = elements[index];
    const [first, ...others] = element?.parts ?? [];
    if (!element || !first) return;
    const { name, isComputed } = nameOf(elements, index, text, first);
    const isFunction = isBuiltIn(name, others.length > 0, this.#rules);
    const isPage = !isComputed && !isFunction && !name.includes('\n');
    const node: TemplateNode = {
      type: 'template',
      name: isFunction ? name.replace(/:.*$/s, ':') : name,
      target: isPage
        ? this.#rules.template(name.replace(/^(?:safesubst|subst|msgnw|msg|raw):/i, ''), () => this.#path)
        : undefined,
      nameRange: trimmed(text, first, base),
      parameters: [],
      start: base + element.start,
      end: base + element.end,
      children: [],
    };
    this.#add(node, [{ start: base + first.start, end: base + first.end }]);
    let position = 0;
    for (const part of others) {
      const isPositional = part.equals < 0;
      const from = isPositional ? part.start : part.equals + 1;
      const valueRange = isPositional
        ? { start: base + from, end: base + part.end }
        : trimmed(text, { start: from, end: part.end }, base);
      const parameter: ParameterNode = {
        type: 'parameter',
        name: isPositional ? String(++position) : text.slice(part.start, part.equals).trim(),
        isPositional,
        value: text.slice(valueRange.start - base, valueRange.end - base),
        valueRange,
        start: base + part.start,
        end: base + part.end,
        children: [],
      };
      node.parameters.push(parameter);
      const key = { start: base + part.start, end: base + part.equals };
      const value = { start: base + from, end: base + part.end };
      this.#add(parameter, isPositional ? [value] : [key, value]);
    }
  }

  // Links, headings and tables ---------------------------------------------------------------------------------------

  #walk(nodes: readonly rendered.Node[], base: number, depth: number): void {
    if (depth > limits.nesting * 4) return;
    for (const node of nodes) {
      const start = base + node.start;
      const end = base + (('writtenEnd' in node && node.writtenEnd) || node.end);
      switch (node.type) {
        case 'link':
        case 'marker':
        case 'file':
          this.#link(node, start, end);
          this.#walk(
            node.type === 'file' ? node.caption : node.type === 'link' ? node.children : [],
            base,
            depth + 1,
          );
          break;
        case 'external-link':
          this.#externalLink(node, start, end, base);
          this.#walk(node.children, base, depth + 1);
          break;
        case 'heading':
          this.#heading(node, start, end);
          this.#walk(node.children, base, depth + 1);
          break;
        case 'element':
          this.#element(node, { start, end }, base, depth);
          break;
        case 'template':
          for (const argument of node.arguments) this.#walk(argument.children, base, depth + 1);
          break;
        case 'extension':
          if (node.children && extensionTags.get(node.name)?.inside !== 'loose wikitext')
            // A gallery's caption is an attribute, which is parsed separately from the source.
            this.#walk(
              node.children.filter((child) => child.type !== 'element' || child.name !== 'caption'),
              base,
              depth + 1,
            );
          break;
        default:
          break;
      }
    }
  }

  #link(node: rendered.LinkNode | rendered.MarkerNode | rendered.FileNode, start: number, end: number): void {
    const text = this.#masked(start, end);
    const close = text.lastIndexOf(']]');
    if (!text.startsWith('[[') || close < 2) return;
    const pipe = text.indexOf('|');
    const targetRange = { start: start + 2, end: start + (pipe < 0 ? close : pipe) };
    const labelRange = pipe < 0 ? undefined : { start: start + pipe + 1, end: start + close };
    const link: LinkNode = {
      type: node.type,
      target: node.type === 'link' ? node.target : node.type === 'file' ? node.name : node.key,
      targetRange,
      labelRange,
      ...(node.type === 'file' ? { options: node.options } : {}),
      ...(node.type === 'marker' ? { value: node.value } : {}),
      start,
      end,
      children: [],
    };
    const trail = { start: start + close + 2, end };
    this.#add(link, labelRange ? [targetRange, labelRange, trail] : [targetRange, trail]);
  }

  #externalLink(node: rendered.ExternalLinkNode, start: number, end: number, base: number): void {
    const text = this.#masked(start, end);
    const pipe = text.indexOf('|');
    let targetRange = { start, end };
    let labelRange: Range | undefined;
    if (text.startsWith('[[')) {
      targetRange = { start: start + 2, end: pipe < 0 ? end - 2 : start + pipe };
      if (pipe >= 0) labelRange = { start: start + pipe + 1, end: end - 2 };
    } else if (text.startsWith('[')) {
      targetRange = { start: start + 1, end: end - 1 };
      const first = node.kind === 'text' ? node.children[0] : undefined;
      if (first) {
        labelRange = { start: base + first.start, end: end - 1 };
        const target = this.#source.slice(start + 1, labelRange.start).trimEnd();
        targetRange.end = start + 1 + target.length;
      }
    }
    const contents = labelRange ? [targetRange, labelRange] : [targetRange];
    this.#add(
      { type: 'external-link', url: node.url, targetRange, labelRange, start, end, children: [] },
      contents,
    );
  }

  #heading(node: rendered.HeadingNode, start: number, end: number): void {
    const text = this.#masked(start, end);
    let titleRange: Range | undefined;
    if (text.startsWith('=')) {
      const found = headingLine(text, 0, text.length);
      if (found) titleRange = { start: start + found.start, end: start + found.end };
    } else {
      const written = this.#source.slice(start, end);
      const close = written.lastIndexOf('</');
      const open = written.indexOf('>') + 1;
      if (close >= open && written.endsWith('>')) titleRange = { start: start + open, end: start + close };
    }
    const heading: HeadingNode = {
      type: 'heading',
      level: node.level,
      title: inlineText(node.children).trim(),
      id: node.id,
      titleRange,
      start,
      end,
      children: [],
    };
    this.#add(heading, titleRange ? [titleRange] : []);
  }

  #element(node: rendered.ElementNode, { start, end }: Range, base: number, depth: number): void {
    const { name } = node;
    const isWritten = this.#source[start] !== '<';
    if (isWritten && name === 'table') {
      const outer = this.#cells;
      this.#cells = [];
      const newline = this.#source.indexOf('\n', start);
      // Signs of a list may stand before the table.
      const attributesAt = this.#source.indexOf('{|', start) + 2;
      const attributeRange = { start: attributesAt, end: newline < 0 || newline > end ? end : newline };
      const table: TableNode = {
        type: 'table',
        attributes: this.#attributes(attributeRange),
        attributeRange,
        cells: this.#cells,
        start,
        end,
        children: [],
      };
      this.#add(table, []);
      this.#walk(node.children, base, depth + 1);
      numberCells(this.#cells, this.#source);
      this.#cells = outer;
      return;
    }
    if (isWritten && (name === 'td' || name === 'th' || name === 'caption')) this.#cell(name, start, end);
    else {
      const tag = tagAt(this.#source, this.#masked(start, end), name, start);
      if (tag) this.#add(tag.node, [tag.inside]);
    }
    this.#walk(node.children, base, depth + 1);
  }

  #cell(kind: CellNode['kind'], start: number, end: number): void {
    const first = this.#source[start];
    // The parser adds an empty cell to a table without cells; it has no source.
    if (start === end || (first !== '|' && first !== '!')) return;
    const last = this.#cells.at(-1);
    // Behind another cell of the line, the line is not read again.
    const isBehind = last && !this.#source.slice(last.start, start).includes('\n');
    const lineStart = isBehind ? last.start : this.#source.lastIndexOf('\n', start - 1) + 1;
    const isFirst = this.#masked(lineStart, start).trim() === '';
    const from = start + (isFirst && kind !== 'caption' ? 1 : 2);
    const text = this.#masked(from, end).replace(/<\/?([a-z][a-z0-9]*)\b[^<>]*>/gi, (tag, name: string) =>
      allowedElements.has(name.toLowerCase()) ? '\0'.repeat(tag.length) : tag,
    );
    const newline = text.indexOf('\n');
    const line = newline < 0 ? text : text.slice(0, newline);
    const pipe = line.indexOf('|');
    // A pipe after `[[` belongs to a link.
    const skipped = pipe >= 0 && !line.slice(0, pipe).includes('[[') ? pipe + 1 : 0;
    const content = trimmed(this.#source, { start: from + skipped, end }, 0);
    const attributeRange = skipped > 0 ? { start: from, end: from + pipe } : undefined;
    const attributes = this.#attributes(attributeRange);
    const at = { row: 0, column: 0, start, end };
    const cell: CellNode = { type: 'cell', kind, attributes, attributeRange, content, ...at, children: [] };
    this.#cells.push(cell);
    this.#add(cell, [content]);
  }

  #attributes(range: Range | undefined): TagAttribute[] {
    return range ? readAttributes(this.#source, this.#masked(range.start, range.end), range.start) : [];
  }

  /** Returns the source between two offsets, with elements replaced by NULs and comments by spaces. */
  #masked(start: number, end: number): string {
    let text = '';
    let at = start;
    for (let index = firstFrom(this.#elements, start); ; index++) {
      const element = this.#elements[index];
      if (!element || element.start >= end) break;
      if (element.start < at || element.end > end) continue;
      const isShown = element.kind !== 'comment' && element.kind !== 'skip';
      text +=
        this.#source.slice(at, element.start) + (isShown ? '\0' : ' ').repeat(element.end - element.start);
      at = element.end;
    }
    return text + this.#source.slice(at, end);
  }

  #add(node: SourceNode, contents: readonly Range[] = []): void {
    this.intervals.push({ node, contents });
  }
}

function trimmed(text: string, { start, end }: Range, base: number): Range {
  let from = start;
  let to = end;
  while (from < to && /\s/.test(text[from] ?? '')) from++;
  while (to > from && /\s/.test(text[to - 1] ?? '')) to--;
  return { start: base + from, end: base + to };
}
