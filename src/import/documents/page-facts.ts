/**
 * `pages.jsonl`, with which an export of this wiki states about its files all that the texts do not: a line for each page. Files
 * that it names become what they were: the same page, with the same title, files and access.
 */
import { languageOf } from '#core/model/language-tag.ts';
import { readAccess, type Stated } from '../access.ts';
import type { FileTree } from './file-tree.ts';

export const factsFile = 'pages.jsonl';
const maxLineLength = 12_000_000;

/** Path of an attached file, and its name on the page. */
export interface StatedFile {
  file: string;
  filename: string;
}

export interface PageFacts {
  /** Undefined for a page without a text of its own. */
  file: string | undefined;
  path: string;
  title: string;
  description: string | undefined;
  type: string | undefined;
  data: Record<string, unknown> | undefined;
  files: StatedFile[];
  stated: Stated | undefined;
  /** Position among its siblings. */
  order: number | undefined;
  language: string | undefined;
  /** Path of the page of which it is a translation. */
  translationOf: string | undefined;
}

export interface TreeFacts {
  pages: PageFacts[];
  byFile: ReadonlyMap<string, PageFacts>;
  /** Whether a line could not be read, so that restrictions may be missing. */
  isDamaged: boolean;
}

/** Undefined if there is no such file, or another program wrote it. An export whose texts say everything has an empty one. */
export async function factsIn(tree: FileTree): Promise<TreeFacts | undefined> {
  if (!tree.paths.includes(factsFile)) return undefined;
  const pages: PageFacts[] = [];
  let lines = 0;
  let isForeign = true;
  let isDamaged = false;
  for await (const line of linesOf(tree)) {
    lines++;
    const value = parsed(line);
    const facts = value && factsOf(value);
    if (facts) pages.push(facts);
    else isDamaged = true;
    isForeign &&= value !== undefined && !facts;
  }
  if (lines > 0 && isForeign) return undefined;
  return {
    pages,
    byFile: new Map(pages.flatMap((page) => (page.file === undefined ? [] : [[page.file, page]]))),
    isDamaged,
  };
}

async function* linesOf(tree: FileTree): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let held = '';
  for await (const chunk of tree.open(factsFile)) {
    const lines = (held + decoder.decode(chunk, { stream: true })).split('\n');
    // The rest of a longer line is read as another one, which is damaged.
    held = (lines.pop() ?? '').slice(0, maxLineLength);
    yield* lines.filter((line) => line.trim() !== '');
  }
  if (held.trim() !== '') yield held;
}

/** Returns no files for an invalid list. */
export function filesInJson(text: string): StatedFile[] {
  return filesOf(parsed(text));
}

function filesOf(value: unknown): StatedFile[] {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return list.flatMap((one) => {
    const { file, filename } = (one ?? {}) as Record<string, unknown>;
    return typeof file === 'string' && typeof filename === 'string' ? [{ file, filename }] : [];
  });
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // The caller counts it as damaged.
    return undefined;
  }
}

function factsOf(value: Record<string, unknown>): PageFacts | undefined {
  const { file, path, title, description, type, data, files } = value;
  if (typeof path !== 'string' || !path.startsWith('/') || typeof title !== 'string') return undefined;
  if (file !== undefined && typeof file !== 'string') return undefined;
  // Exports before the field `group` do not say to whom the second digit applies.
  const isOlder = value.group === undefined;
  return {
    file,
    path,
    title,
    description: typeof description === 'string' ? description : undefined,
    type: typeof type === 'string' ? type : undefined,
    data: typeof data === 'object' && data !== null ? { ...data } : undefined,
    files: filesOf(files),
    order: typeof value.order === 'number' ? value.order : undefined,
    language: typeof value.language === 'string' ? languageOf(value.language) : undefined,
    translationOf: typeof value.translationOf === 'string' ? value.translationOf : undefined,
    stated: isOlder && !isOpen(value.permissions) ? { restriction: 'no group is given' } : readAccess(value),
  };
}

function isOpen(permissions: unknown): boolean {
  return /[4-7]$/.test(String(permissions));
}
