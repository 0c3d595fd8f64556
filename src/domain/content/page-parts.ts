/** Parts of other pages that a page takes: a section by its heading, a block by its ID. */
import type { ElementNode, Node } from '@coppice/wikitext';
import { type Dialect, rulesOf } from '@coppice/wikitext/dialect';
import type { Format } from '../pages/page.ts';
import { parseBody, templateBody } from './language.ts';
import { moduleBody, moduleTitle } from './module-body.ts';
import { type SourceSection, sectionsOf } from './page-sections.ts';

/** Characters of pages that one rendering may read to find parts of them: some 100 ms at their worst. */
const maxCharacters = 1_000_000;

interface WholeTemplate {
  changeId: number;
  path: string;
  body: string;
  format: Format;
}

/** The page of `Page#part`, as templates are asked for. Names of pages hold no number sign. */
export function pageNameOf(name: string): string {
  const hash = name.indexOf('#');
  return hash < 0 ? name : name.slice(0, hash);
}

/** Takes parts for one rendering; each page is read once. */
export class PageParts {
  /** Names of parts that were not found. */
  readonly missing = new Set<string>();
  readonly #dialect: Dialect;
  readonly #sections = new Map<number, SourceSection[] | undefined>();
  readonly #blocks = new Map<number, Map<string, ElementNode>>();
  #left = maxCharacters;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Part of a page that `name` asks for, as a template's or module's body; a mark where the page has no such part. */
  bodyOf(name: string, page: WholeTemplate): string {
    if (moduleTitle(name) !== undefined) return moduleBody(page.body, page.format);
    const hash = name.indexOf('#');
    if (hash < 0) return templateBody(page.body, page.format);
    const part = name.slice(hash + 1);
    const range = part.startsWith('^') ? this.#block(part, page) : this.#section(part, page);
    if (range) return templateBody(page.body.slice(range[0], range[1]), page.format);
    const [shown = name] = name.split('\n');
    this.missing.add(shown);
    return `<span class="error">There is no section [[:${shown}]].</span>`;
  }

  #section(part: string, page: WholeTemplate): [number, number] | undefined {
    const sections = this.#sectionsOf(page);
    const [from = '', to] = part.split('\n');
    const found = sections.findIndex((section) => isNamed(section, from));
    if (from.trim() === '') return [0, sections[0]?.start ?? page.body.length];
    const section = sections[found];
    if (!section) return undefined;
    const end = to === undefined ? undefined : sections.slice(found + 1).find((one) => isNamed(one, to));
    return [section.start, to === undefined ? section.end : (end?.start ?? page.body.length)];
  }

  #sectionsOf(page: WholeTemplate): SourceSection[] {
    if (!this.#sections.has(page.changeId))
      this.#sections.set(page.changeId, this.#mayRead(page) ? sectionsOf(page, this.#dialect) : undefined);
    return this.#sections.get(page.changeId) ?? [];
  }

  #block(id: string, page: WholeTemplate): [number, number] | undefined {
    let blocks = this.#blocks.get(page.changeId);
    if (!blocks) {
      blocks = new Map();
      if (this.#mayRead(page))
        addBlocks(parseBody(page.body, page.format, page.path, rulesOf(this.#dialect)).children, blocks);
      this.#blocks.set(page.changeId, blocks);
    }
    const block = blocks.get(id);
    return block && [block.start, block.end];
  }

  #mayRead({ body }: WholeTemplate): boolean {
    this.#left -= body.length;
    return this.#left >= 0;
  }
}

function addBlocks(nodes: readonly Node[], blocks: Map<string, ElementNode>): void {
  for (const node of nodes) {
    if (node.type !== 'element') continue;
    const id = node.attributes?.id;
    if (id?.startsWith('^') && !blocks.has(id)) blocks.set(id, node);
    addBlocks(node.children, blocks);
  }
}

/** Finds headings as links do: by text or ID, whatever the case of letters. */
function isNamed({ id, title }: SourceSection, written: string): boolean {
  const wanted = comparable(written);
  return comparable(title) === wanted || comparable(id) === wanted;
}

function comparable(text: string): string {
  return text
    .replace(/[\s_]+/g, ' ')
    .trim()
    .toLowerCase();
}
