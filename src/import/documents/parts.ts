/**
 * Texts that pages have in common, put in place: `{% include note.html type="tip" %}` of Jekyll with its parameters, and parts
 * that MDX imports. A part that is not there, or that is a program, stays as it is written.
 */
import { readFrontMatter } from '@coppice/markdown';
import { maxBodyBytes } from '#core/model/page-fields.ts';
import { Problem } from '#core/model/problem.ts';
import { withoutDots } from '../folder-paths.ts';
import { type FileTree, textOf } from './file-tree.ts';
import { attributesIn, outsideCode } from './terms/tags.ts';

const maxDepth = 5;
const maxParts = 200;
/** Maximum number in a whole document, those within parts included: each level could multiply them. */
const maxPartsOfDocument = 1000;
const include = /\{%-?\s*include(_relative|_cached)?\s+([\w./-]{1,300})((?:[^%\n]|%(?!\})){0,1000}?)-?%\}/g;
const parameter = /\{\{-?\s*include\.([\w-]{1,60})\s*(?:\|\s*(?:markdownify|escape|strip|raw)\s*)?-?\}\}/g;
const condition =
  /\{%-?\s*if\s+include\.([\w-]{1,60})\s*-?%\}((?:(?!\{%-?\s*(?:if|else|endif)\b)[\s\S]){0,5000}?)(?:\{%-?\s*else\s*-?%\}((?:(?!\{%-?\s*(?:if|endif)\b)[\s\S]){0,5000}?))?\{%-?\s*endif\s*-?%\}/g;
const block = /\{%[ \t]*include[ \t]+"([^"\n]{1,300})"[ \t]*%\}/g;
const imported = /^import[ \t]+([A-Z]\w{0,60})[ \t]+from[ \t]+(["'])([^"'\n]{1,300}\.mdx?)\2;?[ \t]*$/gm;

interface Around {
  depth: number;
  left: { parts: number };
}

const atTop = (): Around => ({ depth: 0, left: { parts: maxPartsOfDocument } });

export async function withLiquidIncludes(
  tree: FileTree,
  path: string,
  text: string,
  { depth, left }: Around = atTop(),
): Promise<string> {
  const found = new Map<string, string>();
  for (const [written = '', how, name = '', rest = ''] of matchesOf(text, include)) {
    if (depth >= maxDepth || left.parts-- <= 0) break;
    const part = await textAt(tree, how === '_relative' ? relativeTo(path, name) : includeNamed(tree, name));
    if (part === undefined) continue;
    const values = attributesIn(rest);
    const filled = part
      .replace(condition, (_, name: string, yes: string, no = '') => (values[name] ? yes : no))
      .replace(parameter, (_, name: string) => values[name] ?? '');
    const whole = await withLiquidIncludes(tree, path, filled, { depth: depth + 1, left });
    // A part that the program has to run is no text.
    if (!/\{%|\{\{/.test(whole)) found.set(written, whole.trim());
  }
  return replaced(text, include, ([written]) => found.get(written ?? ''));
}

export async function withPartials(
  tree: FileTree,
  path: string,
  text: string,
  { depth, left }: Around = atTop(),
): Promise<string> {
  const parts = new Map<string, string>();
  for (const [, name = '', , from = ''] of matchesOf(text, imported)) {
    const file = relativeTo(path, from.startsWith('@site/') ? `/${from.slice('@site/'.length)}` : from);
    if (depth >= maxDepth || left.parts-- <= 0) break;
    const part = await textAt(tree, file);
    if (part === undefined || file === undefined) continue;
    const body = part.slice(readFrontMatter(part)?.end ?? 0);
    parts.set(name, (await withPartials(tree, file, body, { depth: depth + 1, left })).trim());
  }
  if (parts.size === 0) return text;
  const element = new RegExp(`<(${[...parts.keys()].join('|')})\\b([^<>\\n]{0,500}?)/>`, 'g');
  return replaced(text, element, ([, name = '', attributes = '']) => {
    const values = attributesIn(attributes);
    return parts
      .get(name)
      ?.replace(/\{props\.(\w{1,60})\}/g, (before, name: string) => values[name] ?? before);
  });
}

/** Blocks that GitBook keeps in `.gitbook/includes` for several pages. */
export async function withIncludedBlocks(tree: FileTree, path: string, text: string): Promise<string> {
  const found = new Map<string, string>();
  for (const [written = '', name = ''] of matchesOf(text, block)) {
    const part = await textAt(tree, relativeTo(path, name));
    if (part !== undefined) found.set(written, part.slice(readFrontMatter(part)?.end ?? 0).trim());
  }
  return replaced(text, block, ([written]) => found.get(written ?? ''));
}

function matchesOf(text: string, pattern: RegExp): string[][] {
  const found: string[][] = [];
  outsideCode(text, (part) => {
    for (const match of part.matchAll(pattern)) if (found.length < maxParts) found.push([...match]);
    return part;
  });
  return found;
}

/** Within the size of a page; what is beyond it stays as it is written. */
function replaced(text: string, pattern: RegExp, partOf: (match: string[]) => string | undefined): string {
  let bytes = Buffer.byteLength(text);
  return outsideCode(text, (part) =>
    part.replace(pattern, (...match: string[]) => {
      const [written = ''] = match;
      const put = partOf(match);
      bytes += Buffer.byteLength(put ?? '');
      return put === undefined || bytes > maxBodyBytes ? written : put;
    }),
  );
}

function relativeTo(path: string, name: string): string | undefined {
  if (name.startsWith('/')) return name.slice(1);
  return withoutDots(`${path.slice(0, path.lastIndexOf('/') + 1)}${name}`);
}

function includeNamed(tree: FileTree, name: string): string | undefined {
  return tree.paths.find((path) => path === `_includes/${name}` || path.endsWith(`/_includes/${name}`));
}

async function textAt(tree: FileTree, path: string | undefined): Promise<string | undefined> {
  if (path === undefined || !tree.paths.includes(path)) return undefined;
  try {
    return await textOf(tree, path);
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
