/**
 * Files that mdBook puts into a text: `{{#include ../src/main.rs:5:9}}`, `{{#rustdoc_include x.rs:anchor}}`, programs as code,
 * `{{#playground x.rs}}`, and templates with values for `[[#name]]`: `{{#template note.md name=Ann}}`. A backslash before it keeps a
 * command as text.
 */
import { maxBodyBytes } from '#core/model/page-fields.ts';
import { Problem } from '#core/model/problem.ts';
import { withoutDots } from '../folder-paths.ts';
import { type FileTree, textOf } from './file-tree.ts';
import type { DocumentText } from './html.ts';

const command =
  /(\\?)\{\{#(rustdoc_include|include|playground|playpen|template)\s+([^\s{}:]{1,500})((?::[\w.-]*){0,2})([^{}]{0,2000})\}\}/g;
const maxDepth = 5;
const maxIncludes = 1000;

/** Files that are not there, and those for which the text would become too long, are named, and their commands stay. */
export async function withIncludes(tree: FileTree, path: string, text: string): Promise<DocumentText> {
  const leftOut = new Set<string>();
  let bytes = Buffer.byteLength(text);
  let count = 0;
  const known = new Set(tree.paths);
  const put = async (from: string, text: string, depth: number): Promise<string> => {
    let out = '';
    let at = 0;
    for (const match of text.matchAll(command)) {
      const [written, slash, verb = '', name = '', range = '', rest = ''] = match;
      out += text.slice(at, match.index);
      at = match.index + written.length;
      if (slash) {
        out += written;
        continue;
      }
      const target = withoutDots(`${from.slice(0, from.lastIndexOf('/') + 1)}${name}`);
      const part =
        target === undefined || !known.has(target) || depth >= maxDepth || count++ >= maxIncludes
          ? undefined
          : await partOf(tree, target, range);
      if (part !== undefined) bytes += Buffer.byteLength(part);
      if (target === undefined || part === undefined || bytes > maxBodyBytes) {
        leftOut.add(name);
        out += written;
      } else {
        const inside = (await put(target, part, depth + 1)).replace(/\n$/, '');
        out += verb.startsWith('play')
          ? `\`\`\`rust\n${inside}\n\`\`\``
          : verb === 'template'
            ? filled(inside, rest)
            : inside;
      }
    }
    return out + text.slice(at);
  };
  return { text: await put(path, text, 0), missing: [...leftOut] };
}

/** Puts the values of a command in the places of a template: `[[#name]]`, or `[[#name default]]`. */
function filled(template: string, values: string): string {
  const known = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of values.matchAll(
    /([\w-]{1,100})\s*=\s*(?:"([^"]{0,1000})"|(\S{1,1000}))/g,
  ))
    known.set(name, quoted ?? plain);
  return template.replace(
    /\[\[#([\w-]{1,100})(?:[ \t]+([^\]\n]{0,500}))?\]\]/g,
    (whole, name: string, usual?: string) => known.get(name) ?? usual ?? whole,
  );
}

async function partOf(tree: FileTree, path: string, range: string): Promise<string | undefined> {
  try {
    const lines = (await textOf(tree, path)).split('\n');
    const [, first = '', last] = range.split(':');
    if (first !== '' && !/^\d+$/.test(first)) return withoutMarks(anchored(lines, first));
    const from = first === '' ? 0 : Number(first) - 1;
    const to =
      last === undefined
        ? range === ''
          ? lines.length
          : from + 1
        : last === ''
          ? lines.length
          : Number(last);
    return withoutMarks(lines.slice(from, to));
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** Lines between `ANCHOR: name` and `ANCHOR_END: name`. */
function anchored(lines: readonly string[], name: string): string[] {
  const isMark = (line: string, mark: string) =>
    new RegExp(`${mark}:\\s*${name.replace(/[.]/g, '\\.')}\\s*(?:\\W.*)?$`).test(line);
  const from = lines.findIndex((line) => isMark(line, 'ANCHOR'));
  const to = lines.findIndex((line) => isMark(line, 'ANCHOR_END'));
  return from < 0 ? [] : lines.slice(from + 1, to < 0 ? undefined : to);
}

function withoutMarks(lines: readonly string[]): string {
  return lines.filter((line) => !/ANCHOR(?:_END)?:\s*[\w.-]+/.test(line)).join('\n');
}
