/**
 * Compares two versions of a page as readers see them. The result is the HTML of the later one, in which added words stand in
 * `<ins>` and removed ones in `<del>` where they stood. Elements around removed words are left out, so the HTML stays as sound as
 * that of the later version. Both must come from the renderer, which writes every element and attribute in one form.
 *
 *   <p>An old <b>oak</b></p>   →   <p>An elm</p>      becomes      <p>An <del>old oak</del><ins>elm</ins></p>
 *
 * Runs of tokens between blocks are compared first and then words within those that differ, both within bounds.
 */
import { diffItems } from './diff.ts';

const maxEdits = 800;
/** Words beyond that many differences say more as a whole; the time grows with the square of it. */
const maxWordEdits = 60;
const maxComparedRuns = 1000;

/** Elements that are compared whole, as their parts mean nothing alone. */
const whole = /^<(math|svg|style|script|iframe|video|audio)\b/;
const blocks =
  /^<\/?(?:p|div|h[1-6]|ul|ol|li|dl|dt|dd|table|caption|tbody|thead|tfoot|tr|td|th|blockquote|pre|figure|figcaption|hr|section|details|summary)\b/;
const voidTag = /^<(?:img|br|hr|wbr|col|input|source|meta|link)\b/;
const tag = /^<(\/?)([a-z][\w-]*)/i;
/** Elements that hold no text, with what removed words are put into. */
const wrappers: Readonly<Record<string, readonly [string, string]>> = {
  ul: ['<li class="shown-gone">', '</li>'],
  ol: ['<li class="shown-gone">', '</li>'],
  dl: ['<dd class="shown-gone">', '</dd>'],
  tr: ['<td class="shown-gone">', '</td>'],
  table: ['<tr class="shown-gone"><td colspan="100">', '</td></tr>'],
  tbody: ['<tr class="shown-gone"><td colspan="100">', '</td></tr>'],
  thead: ['<tr class="shown-gone"><td colspan="100">', '</td></tr>'],
  tfoot: ['<tr class="shown-gone"><td colspan="100">', '</td></tr>'],
};

/** Compares two versions of rendered HTML and marks insertions and deletions. The result is as safe as both versions. */
export function compareShown(from: string, to: string): string {
  const writer = new Writer();
  const runs = diffItems(runsOf(from), runsOf(to), maxEdits);
  let compared = 0;
  for (let at = 0; at < runs.length; at++) {
    const { kind, items } = runs[at] ?? { kind: 'same' as const, items: [] };
    const next = runs[at + 1];
    const tokens = tokensOf(items.join(''));
    if (kind === 'removed' && next?.kind === 'added' && ++compared <= maxComparedRuns) {
      at++;
      for (const part of diffItems(tokens, tokensOf(next.items.join('')), maxWordEdits))
        for (const token of part.items) writer.write(part.kind, token);
    } else for (const token of tokens) writer.write(kind, token);
  }
  return writer.end();
}

/** Markup and words. An element that is compared whole is one token. */
function tokensOf(markup: string): string[] {
  const found =
    markup.match(
      /<!--[\s\S]*?-->|<(?:"[^"]*"|[^">])*>|&#?\w+;|[\p{L}\p{N}\p{M}_]+|[^<&\p{L}\p{N}\p{M}_]|[<&]/gu,
    ) ?? [];
  const tokens: string[] = [];
  let open: { name: string; text: string; depth: number } | undefined;
  for (const token of found) {
    const [, slash, name = ''] = tag.exec(token) ?? [];
    if (open) {
      open.text += token;
      if (name === open.name) open.depth += slash ? -1 : 1;
      if (open.depth === 0) {
        tokens.push(open.text);
        open = undefined;
      }
    } else if (whole.test(token)) open = { name, text: token, depth: 1 };
    else tokens.push(token);
  }
  return open ? [...tokens, open.text] : tokens;
}

/** The markup divided at the beginning and end of each block. */
function runsOf(markup: string): string[] {
  const runs: string[] = [];
  let run = '';
  for (const token of tokensOf(markup)) {
    if (!blocks.test(token)) run += token;
    else {
      if (run !== '') runs.push(run);
      runs.push(token);
      run = '';
    }
  }
  return run === '' ? runs : [...runs, run];
}

class Writer {
  #html = '';
  readonly #open: string[] = [];
  /** Removed words that are not written yet. */
  #removed: string[] = [];
  #added = '';

  write(kind: 'same' | 'removed' | 'added', token: string): void {
    const [, slash, name = ''] = tag.exec(token) ?? [];
    const isShown = name === '' || whole.test(token) || token.startsWith('<img');
    if (kind === 'removed') {
      if (isShown && !token.startsWith('<!--')) {
        this.#flushAdded();
        this.#removed.push(name === '' ? token : token.replace(/ id="[^"]*"/g, ''));
      } else if (blocks.test(token) && this.#removed.length > 0 && this.#removed.at(-1) !== ' ')
        this.#removed.push(' ');
      return;
    }
    if (isShown && kind === 'added') {
      this.#flushGone();
      this.#added += token;
      return;
    }
    this.#flushAdded();
    this.#flushGone();
    this.#html += token;
    if (isShown || voidTag.test(token) || token.startsWith('<!')) return;
    if (!slash) this.#open.push(name);
    else if (this.#open.at(-1) === name) this.#open.pop();
  }

  end(): string {
    this.#flushAdded();
    this.#flushGone();
    return this.#html;
  }

  #flushAdded(): void {
    if (this.#added.trim() === '') this.#html += this.#added;
    else this.#html += `<ins class="shown-added">${this.#added}</ins>`;
    this.#added = '';
  }

  #flushGone(): void {
    if (this.#removed.length === 0) return;
    const text = this.#removed.join('');
    this.#removed = [];
    if (text.trim() === '') return;
    const [open, close] = wrappers[this.#open.at(-1) ?? ''] ?? ['', ''];
    const space = open === '' && /\s$/.test(text) ? ' ' : '';
    this.#html += `${open}<del class="shown-removed">${text.trimEnd()}</del>${close}${space}`;
  }
}
