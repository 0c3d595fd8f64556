/**
 * Escaped brackets of programs that write formulas with dollars alone. `\(in C, C++\)` is text in brackets there, and would be a
 * formula here, so its first bracket loses the escape: `(in C, C++\)`.
 */
import { parseMarkdown } from '@coppice/markdown';
import type { Node } from '@coppice/wikitext';
import type { Kind } from '../source.ts';

const hasDollarsOnly: ReadonlySet<Kind> = new Set([
  ...(['obsidian', 'foam', 'quartz', 'dendron', 'logseq', 'wikijs', 'gitbook'] as const),
  ...(['docusaurus', 'vitepress', 'outline', 'notion', 'eleventy'] as const),
  ...(['tiddlywiki', 'evernote', 'opml', 'bookstack', 'office', 'csv'] as const),
]);
/** Brackets within brackets are found one after the other. */
const mostPasses = 4;

export function withoutBracketFormulas(text: string, kind: Kind): string {
  if (!hasDollarsOnly.has(kind)) return text;
  let out = text;
  for (let pass = 0; pass < mostPasses && /\\[([]/.test(out); pass++) {
    const starts = formulasIn(parseMarkdown(out).children).filter((at) =>
      /^\\[([]/.test(out.slice(at, at + 2)),
    );
    if (starts.length === 0) break;
    let changed = '';
    let from = 0;
    for (const start of starts.sort((a, b) => a - b)) {
      // A square bracket could begin a link.
      changed += out.slice(from, start) + (out[start + 1] === '(' ? '(' : '&#91;');
      from = start + 2;
    }
    out = changed + out.slice(from);
  }
  return out;
}

/** Offsets of formulas. The parser bounds how deep nodes are nested. */
function formulasIn(nodes: readonly Node[]): number[] {
  return nodes.flatMap((node) => {
    if (node.type === 'extension' && node.name === 'math') return [node.start];
    return 'children' in node && node.children ? formulasIn(node.children) : [];
  });
}
