/**
 * Files that PyMdown's snippets put into a text, in code as well: `--8<-- "part.md"`, `--8<-- "main.py:section"`,
 * `--8<-- "main.py:3:9"`, and several files between two lines of `--8<--`. A semicolon before it keeps a command as text.
 */
import { maxBodyBytes } from '#core/model/page-fields.ts';
import { Problem } from '#core/model/problem.ts';
import { type FileTree, textOf } from './file-tree.ts';
import type { DocumentText } from './html.ts';

const single = /^([ \t]{0,200})(;*)-+8<-+[ \t]+(["'])(.{1,500}?)\3[ \t]*$/;
const fence = /^([ \t]{0,200})-+8<-+[ \t]*$/;
const mark = /-+8<-+[ \t]+\[[ \t]*(?:start|end)[ \t]*:[ \t]*[a-z][\w-]*[ \t]*\]/i;
const maxDepth = 5;
const maxSnippets = 1000;

/** Files that are not there, and those for which the text would become too long, are named, and their commands stay. */
export async function withSnippets(tree: FileTree, text: string): Promise<DocumentText> {
  if (!text.includes('8<-')) return { text };
  const missing = new Set<string>();
  let bytes = Buffer.byteLength(text);
  let count = 0;
  /** Lines in place of a command; undefined if it stays. */
  const put = async (named: string, lead: string, depth: number): Promise<string[] | undefined> => {
    const isAllowed = depth < maxDepth && count++ < maxSnippets;
    const part = isAllowed ? await partOf(tree, named) : undefined;
    // Each line gets the indent of the command.
    for (const line of part ?? []) bytes += Buffer.byteLength(line) + lead.length + 1;
    if (part === undefined || bytes > maxBodyBytes) {
      missing.add(named);
      return undefined;
    }
    return (await within(part, depth + 1)).map((line) => (line === '' ? '' : lead + line));
  };
  const within = async (lines: readonly string[], depth: number): Promise<string[]> => {
    const out: string[] = [];
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at] ?? '';
      const [, lead = '', escapes = '', , name] = single.exec(line) ?? [];
      if (name !== undefined) {
        const found = escapes === '' ? await put(name, lead, depth) : [line.replace(';', '')];
        append(out, found ?? [line]);
        continue;
      }
      const [, indent] = fence.exec(line) ?? [];
      const next =
        indent === undefined
          ? -1
          : lines.slice(at + 1, at + 1 + maxSnippets).findIndex((one) => fence.test(one));
      if (indent === undefined || next < 0) {
        if (!mark.test(line)) out.push(line);
        continue;
      }
      const end = at + 1 + next;
      for (const one of lines.slice(at + 1, end)) {
        const named = one.trim();
        if (named !== '' && !named.startsWith(';')) append(out, (await put(named, indent, depth)) ?? [one]);
      }
      at = end;
    }
    return out;
  };
  return { text: (await within(text.split('\n'), 0)).join('\n'), missing: [...missing] };
}

/** A call takes some 100,000 arguments only. */
function append(out: string[], lines: readonly string[]): void {
  for (const line of lines) out.push(line);
}

/** Lines of the file with the shortest path that ends so: settings name the folders in which they are looked for. */
async function partOf(tree: FileTree, named: string): Promise<string[] | undefined> {
  const [, name = '', range = ''] =
    /^(.*?)((?::(?:[\w-]+|\d*(?::\d*)?(?:,\d*(?::\d*)?)*))?)$/.exec(named) ?? [];
  const wanted = name.replace(/^(?:\.?\/)+/, '');
  const path = tree.paths.reduce<string | undefined>(
    (best, one) =>
      (one === wanted || one.endsWith(`/${wanted}`)) &&
      one.length < (best?.length ?? Number.POSITIVE_INFINITY)
        ? one
        : best,
    undefined,
  );
  if (path === undefined || wanted === '') return undefined;
  try {
    const lines = (await textOf(tree, path)).replace(/\n$/, '').split('\n');
    return range === '' ? lines : linesIn(lines, range.slice(1));
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** `section`, or ranges such as `3:9,12`. */
function linesIn(lines: readonly string[], range: string): string[] {
  if (/[a-z]/i.test(range)) {
    const at = (edge: string) =>
      lines.findIndex((line) => mark.test(line) && line.replace(/\s/g, '').includes(`[${edge}:${range}]`));
    const [from, to] = [at('start'), at('end')];
    return from < 0 ? [] : lines.slice(from + 1, to < 0 ? undefined : to);
  }
  return range.split(',').flatMap((one) => {
    const [first = '', last] = one.split(':');
    const from = Math.max(1, Number(first || 1));
    return lines.slice(from - 1, last === undefined ? from : Number(last) || undefined);
  });
}
