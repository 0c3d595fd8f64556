/** Embeds parts of other pages: a section by its heading, or a block by its ID. */
import type { Dialect } from '@coppice/wikitext/dialect';
import type { Format } from '../model/page.ts';
import type { Language } from './language.ts';
import { moduleBody, moduleTitle } from './module-body.ts';
import type { SourceParts, SourceSection } from './page-sections.ts';
import { templateBody } from './parse-body.ts';

/** Maximum number of characters of pages that are parsed for their parts during one rendering. */
const maxCharacters = 1_000_000;

interface WholeTemplate {
  changeId: number;
  path: string;
  body: string;
  format: Format;
}

/** The page of `Page#part`. Page names contain no number sign. */
export function pageNameOf(name: string): string {
  const hash = name.indexOf('#');
  return hash < 0 ? name : name.slice(0, hash);
}

/** Extracts parts for one rendering; each page is parsed once. */
export class PageParts {
  /** Names of parts that were not found. */
  readonly missing = new Set<string>();
  /** Names of parts that were skipped because their pages are too long together. */
  readonly unread = new Set<string>();
  readonly #language: Language;
  readonly #dialect: Dialect;
  readonly #parts = new Map<number, SourceParts | undefined>();
  #left = maxCharacters;

  constructor(language: Language, dialect: Dialect) {
    this.#language = language;
    this.#dialect = dialect;
  }

  /**
   * Returns the part that `name` refers to, as the body of a template or module, or an error mark if the page has no such part.
   * Throws `TooCostly` as `Language.parts` does.
   */
  async bodyOf(name: string, page: WholeTemplate): Promise<string> {
    if (moduleTitle(name) !== undefined) return moduleBody(page.body, page.format);
    const hash = name.indexOf('#');
    if (hash < 0) return templateBody(page.body, page.format);
    const [shown = name] = name.split('\n');
    const parts = await this.#partsOf(page);
    if (!parts) {
      this.unread.add(shown);
      return `<span class="error">[[:${shown}]] is on a page that is too long.</span>`;
    }
    const part = name.slice(hash + 1);
    const block = part.startsWith('^') ? parts.blocks.find(({ id }) => id === part) : undefined;
    if (block) return templateBody(blockText(page.body, block), page.format);
    const range = part.startsWith('^') ? undefined : sectionNamed(part, parts.sections, page.body.length);
    if (range) return templateBody(page.body.slice(range.start, range.end), page.format);
    this.missing.add(shown);
    return `<span class="error">There is no section [[:${shown}]].</span>`;
  }

  /** Returns undefined if the page is too long. */
  async #partsOf(page: WholeTemplate): Promise<SourceParts | undefined> {
    const { changeId, body, format, path } = page;
    if (!this.#parts.has(changeId)) {
      this.#left -= body.length;
      const source = { body, format, path };
      const parts = this.#left < 0 ? undefined : await this.#language.parts(source, this.#dialect);
      this.#parts.set(changeId, parts);
    }
    return this.#parts.get(changeId);
  }
}

/** A block as it would stand at the top: without the indentation of the list around it, and without its name. */
function blockText(body: string, { id, start, end }: SourceParts['blocks'][number]): string {
  const text = body.slice(start, end);
  const above = body.slice(body.lastIndexOf('\n', start - 1) + 1, start);
  const indent = /^[ \t]*$/.test(above) && above !== '' ? above : (/^[ \t]*/.exec(text)?.[0] ?? '');
  const lines = text.split('\n').map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  const named = lines.findIndex((line) => line.trimEnd().endsWith(` ${id}`));
  if (named >= 0) lines[named] = (lines[named] ?? '').trimEnd().slice(0, -id.length).trimEnd();
  return lines.join('\n');
}

/**
 * `part`: a heading, or two headings on separate lines, which select the text from the first up to the second. An empty `part`
 * selects the text before all headings.
 */
function sectionNamed(
  part: string,
  sections: readonly SourceSection[],
  length: number,
): { start: number; end: number } | undefined {
  const [from = '', to] = part.split('\n');
  if (from.trim() === '') return { start: 0, end: sections[0]?.start ?? length };
  const found = sections.findIndex((section) => isNamed(section, from));
  const section = sections[found];
  if (!section || to === undefined) return section;
  const next = sections.slice(found + 1).find((one) => isNamed(one, to));
  return { start: section.start, end: next?.start ?? length };
}

/** Matches headings as links do: by text or ID, ignoring case. */
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
