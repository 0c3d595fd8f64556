/** Bare addresses (GitHub's autolinks): https://example.org in a line, recognised before emphasis can split it. */
import type { MarkdownIt, StateInline } from 'markdown-it';

const scheme = /(?:^|[^a-z0-9])(https?|ftp)$/i;

export function addresses(parser: MarkdownIt): void {
  parser.inline.ruler.at('linkify', address);
}

function address(state: StateInline, silent: boolean): boolean {
  if (state.linkLevel > 0 || !state.src.startsWith('://', state.pos)) return false;
  const written = scheme.exec(state.pending.slice(-6))?.[1];
  if (!written) return false;
  const start = state.pos - written.length;
  const url = addressAt(state.src, start, state.posMax);
  if (!url) return false;
  if (!silent) {
    state.pending = state.pending.slice(0, -written.length);
    state.pos = start;
    const open = state.push('link_open', 'a', 1);
    open.attrs = [['href', url]];
    open.info = 'auto';
    const text = state.push('text', '', 0);
    text.content = url;
    state.pos = start + url.length;
    state.push('link_close', 'a', -1).info = 'auto';
  } else state.pos = start + url.length;
  return true;
}

const beginning = /(?:(?:https?|ftp):\/\/|www\.)([\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,32})/iuy;
const body = /[^\s<]+/y;

/** Returns the address that begins at `start`, by GitHub's rules for domains and for the end of an address. */
function addressAt(text: string, start: number, limit = text.length): string | undefined {
  const within = text.length > limit ? text.slice(0, limit) : text;
  // The domain is checked first, because it is short; without a valid one, the rest is not scanned.
  beginning.lastIndex = start;
  const host = beginning.exec(within)?.[1];
  if (!host || /_[^.]*(?:\.[^.]*)?$/.test(host)) return undefined;
  body.lastIndex = start;
  const written = body.exec(within)?.[0];
  return written && withoutEnd(written);
}

/** Removes trailing punctuation, entities and parentheses that belong to the sentence. */
function withoutEnd(written: string): string {
  let end = written.length;
  let open = 0;
  let close = 0;
  for (const character of written) {
    if (character === '(') open++;
    else if (character === ')') close++;
  }
  for (;;) {
    const last = written[end - 1] ?? '';
    if (/[?!.,:*_~'"]/.test(last)) end--;
    else if (last === ')' && close > open) {
      close--;
      end--;
    } else if (last === ';') {
      const entity = /&[a-z0-9]{1,32};$/i.exec(written.slice(Math.max(0, end - 40), end));
      if (!entity) end--;
      else end -= entity[0].length;
    } else return written.slice(0, end);
  }
}

const withoutSlashes = /(?:^|[^a-z0-9])(mailto:|xmpp:)$/i;
/** The resource part of an XMPP address, after the host. */
const resource = /^\/[a-z0-9@.]*[a-z0-9@]/i;

/** Links in plain text without a scheme or with one without slashes: www.example.org, ada@example.org, xmpp:ada@example.org. */
export function* linksIn(text: string): Generator<{ start: number; end: number; url: string }> {
  let after = 0;
  for (const { 0: found, index } of text.matchAll(/(?<![^\s*_~(\p{P}])www\.|@/giu)) {
    if (index < after) continue;
    if (found !== '@') {
      const url = addressAt(text, index);
      if (!url || url.length <= 4) continue;
      after = index + url.length;
      yield { start: index, end: after, url: `http://${url}` };
      continue;
    }
    const before = /[\w.+-]{1,64}$/.exec(text.slice(Math.max(after, index - 64), index))?.[0];
    const host = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){1,8}/i.exec(
      text.slice(index + 1, index + 256),
    )?.[0];
    if (!before || !host || /[-_]$/.test(host)) continue;
    const name = index - before.length;
    const scheme = withoutSlashes.exec(text.slice(Math.max(after, name - 8), name))?.[1] ?? '';
    const start = name - scheme.length;
    after = index + 1 + host.length;
    if (/^x/i.test(scheme)) after += resource.exec(text.slice(after, after + 256))?.[0].length ?? 0;
    const url = text.slice(start, after);
    yield { start, end: after, url: scheme === '' ? `mailto:${url}` : url };
  }
}
