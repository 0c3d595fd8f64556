/**
 * ~~two tildes~~ or ~one~ (GitHub: runs of one or two that match in length), and H~2~O: one tilde within a word is a subscript.
 */
import type { MarkdownIt, StateInline } from 'markdown-it';

const tilde = 126;
/** Separate marker codes for one and two tildes, so that a run only closes one of its own length. */
const markers = [tilde, tilde + 0x10000] as const;
const maxSubscript = 64;
const cjk = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}]/u;

export function strikethrough(parser: MarkdownIt): void {
  parser.inline.ruler.at('strikethrough', tokenize);
  parser.inline.ruler2.at('strikethrough', (state) => {
    draw(state, state.delimiters);
    for (const meta of state.tokens_meta) if (meta?.delimiters) draw(state, meta.delimiters);
  });
}

function tokenize(state: StateInline, silent: boolean): boolean {
  if (silent || state.src.charCodeAt(state.pos) !== tilde) return false;
  const { length, can_open, can_close } = state.scanDelims(state.pos, true);
  if (length === 1 && subscript(state)) return true;
  const token = state.push('text', '', 0);
  token.content = '~'.repeat(length);
  token.markup = token.content;
  const marker = markers[length - 1];
  if (marker !== undefined) {
    state.delimiters.push({
      marker,
      // The rule about multiples of three applies to emphasis only; this length disables it.
      length: 3,
      token: state.tokens.length - 1,
      end: -1,
      open: can_open,
      close: can_close,
    });
  }
  state.pos += length;
  return true;
}

function subscript(state: StateInline): boolean {
  const { src, pos, posMax } = state;
  // Chinese, Japanese and Korean have no spaces around what is struck out.
  if (!/[\p{L}\p{N})]/u.test(src[pos - 1] ?? '') || cjk.test(src.slice(Math.max(0, pos - 2), pos + 2)))
    return false;
  const end = src.slice(pos + 1, Math.min(pos + 1 + maxSubscript, posMax)).search(/[~\s]/) + pos + 1;
  if (end <= pos + 1 || src.charCodeAt(end) !== tilde || src.charCodeAt(end + 1) === tilde) return false;
  state.push('sub_open', 'sub', 1).markup = '~';
  const text = state.push('text', '', 0);
  text.content = src.slice(pos + 1, end).replace(/\\([!-/:-@[-`{-~])/g, '$1');
  state.push('sub_close', 'sub', -1).markup = '~';
  state.pos = end + 1;
  return true;
}

function draw(state: StateInline, delimiters: StateInline['delimiters']): void {
  for (const opener of delimiters) {
    if ((opener.marker !== markers[0] && opener.marker !== markers[1]) || opener.end < 0) continue;
    const closer = delimiters[opener.end];
    if (!closer) continue;
    become(state.tokens[opener.token], 's_open', 1);
    become(state.tokens[closer.token], 's_close', -1);
  }
}

function become(token: StateInline['tokens'][number] | undefined, type: string, nesting: 1 | -1): void {
  if (!token) return;
  Object.assign(token, { type, tag: 'del', nesting, content: '' });
}
