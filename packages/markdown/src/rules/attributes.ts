/**
 * Attributes in braces, as Pandoc, MkDocs and kramdown write them: `[mill](/mill){title="Flour"}`, `**old**{.big #tree}`, and
 * `{: .note}` on the last line of a paragraph. Elements get what they may have as HTML tags, and links nothing else than a
 * title and a new window. Everything further is left out, and so are braces that hold no attributes: those are text.
 */
import type { MarkdownIt, StateInline, Token } from 'markdown-it';

/** Longest list of attributes in characters. */
const maxLength = 300;
const item = /[#.][^\s{}"'=<>`#.][^\s{}"'=<>`#]*|[a-z][\w:-]*=(?:"[^"{}]*"|'[^'{}]*'|[^\s{}"'<>`]+)/i.source;
const list = new RegExp(`^\\{:?[ \\t]*((?:${item})(?:[ \\t]+(?:${item}))*)[ \\t]*\\}`, 'i');
const atEnd = new RegExp(`(?:^|[ \\t]+)${list.source.slice(1)}[ \\t]*$`, 'i');
const lastLine = new RegExp(`\\n[ \\t]*${list.source.slice(1)}[ \\t]*$`, 'i');

/** `attributes`: as HTML writes them, still to be checked. */
export type AttributeMeta = { attributes?: string };

export function attributes(parser: MarkdownIt): void {
  parser.inline.ruler.before('escape', 'attributes', inline);
  parser.core.ruler.after('inline', 'attributes', ({ tokens }) => {
    for (const { type, children } of tokens) if (type === 'inline' && children) attach(children);
  });
  parser.core.ruler.before('inline', 'block_attributes', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const block = tokens[index - 1];
      if (token.type !== 'inline' || !block) continue;
      if (block.type === 'heading_open') cut(token, block, atEnd);
      else if (block.type === 'paragraph_open') cut(token, block, lastLine);
    }
  });
}

function cut(token: Token, block: Token, pattern: RegExp): void {
  const { content } = token;
  // The pattern matches at the end only, so a short tail is enough.
  const tail = content.slice(-maxLength);
  if (!tail.trimEnd().endsWith('}')) return;
  const match = pattern.exec(tail);
  if (!match) return;
  token.content = content.slice(0, content.length - tail.length + match.index);
  block.meta = { ...block.meta, attributes: asHtml(match[1] ?? '') };
}

/** Only directly after what can have attributes: the brace follows the last mark of another construct. */
function inline(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax, pending } = state;
  if (src[pos] !== '{' || pending !== '' || !/[)\]*_`~=^]/.test(src[pos - 1] ?? '')) return false;
  const match = list.exec(src.slice(pos, Math.min(pos + maxLength, posMax)));
  if (!match) return false;
  if (!silent) {
    const token = state.push('attributes', '', 0);
    token.content = match[0];
    token.meta = { attributes: asHtml(match[1] ?? '') };
  }
  state.pos += match[0].length;
  return true;
}

/** Gives attributes to the token before them; without one, they are text after all. */
function attach(tokens: readonly Token[]): void {
  const open: Token[] = [];
  let last: Token | undefined;
  for (const token of tokens) {
    // The second character of two stars is an empty text.
    if (token.type === 'text' && token.content === '') continue;
    if (token.nesting === 1) open.push(token);
    const begun = token.nesting === -1 ? open.pop() : undefined;
    if (token.type === 'attributes') {
      if (last) last.meta = { ...last.meta, ...token.meta };
      else token.type = 'text';
    }
    last = begun ?? (token.type === 'code_inline' || token.type === 'image' ? token : undefined);
  }
}

function asHtml(written: string): string {
  const classes: string[] = [];
  const others: string[] = [];
  for (const [one] of written.matchAll(new RegExp(item, 'gi'))) {
    if (one[0] === '.') classes.push(...one.slice(1).split('.'));
    else if (one[0] === '#') others.push(`id="${one.slice(1)}"`);
    else others.push(one);
  }
  if (classes.length > 0) others.push(`class="${classes.join(' ')}"`);
  return others.join(' ');
}
