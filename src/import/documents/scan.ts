/**
 * Finds links in Markdown outside code, comments and formulas, and replaces them. Everything else is kept byte for byte. One
 * pass: constructs known to be unclosed are not searched for again.
 */

export type FoundLink =
  /** `[[inside]]`, `![[inside]]`. */
  | { kind: 'wiki'; isEmbed: boolean; inside: string }
  /** `[text](target more)`, `![text](target more)`, `[id]: target`. */
  | { kind: 'address'; isImage: boolean; text: string; target: string; more: string; isDefinition: boolean }
  /** Value of `src` or `href` of a tag. */
  | { kind: 'tag'; target: string; written: string };

/** Returns the replacement of the link, or undefined to keep it. */
export type ReplaceLink = (link: FoundLink) => string | undefined;

const fence = /^ {0,3}(?:> ?)*\s*(`{3,}|~{3,})/;
const token =
  /(`+)|<!--|%%|\$\$|(!?)\[\[([^[\]\n]{1,1500})\]\]|^ {0,3}\[((?!\^)[^\]\n]{1,300})\]:[ \t]*(?:<([^<>\n]{1,2000})>|(\S{1,2000}))|(!?)\[((?:[^[\]\n]|\[[^[\]\n]{0,300}\]|!\[[^[\]\n]{0,300}\]\([^()\n]{0,1000}\)){0,1500})\]\((?:<([^<>\n]{0,2000})>|((?:[^\s()<>]|\([^\s()]{0,300}\)){0,2000}))((?:[ \t]+(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'|=\d{0,5}x?\d{0,5}))?[ \t]*)\)|<(img|a|source|video|audio)\b[^<>]{0,2000}>/gim;

export function replaceLinks(text: string, replace: ReplaceLink): string {
  let out = '';
  let from = 0;
  let block = '';
  let closing: RegExp | undefined;
  while (from <= text.length) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end < 0 ? text.length : end + 1);
    if (line === '' && end < 0) break;
    from += line.length;
    const [, mark] = fence.exec(line) ?? [];
    if (closing) {
      out += line;
      if (closing.test(line)) closing = undefined;
    } else if (mark) {
      out += replaceIn(block, replace) + line;
      block = '';
      closing = new RegExp(`^ {0,3}(?:> ?)*\\s*[${mark[0]}]{${mark.length},}\\s*$`);
    } else block += line;
    if (end < 0) break;
  }
  return out + replaceIn(block, replace);
}

function replaceIn(text: string, replace: ReplaceLink): string {
  const matcher = new RegExp(token);
  const unclosed = new Set<string>();
  let out = '';
  let from = 0;
  for (let match = matcher.exec(text); match; match = matcher.exec(text)) {
    const [whole, ticks, , inside] = match;
    const isSkipped = ticks !== undefined || whole === '<!--' || whole === '%%' || whole === '$$';
    if (isSkipped) {
      const end = endOf(text, whole, matcher.lastIndex, unclosed);
      if (end > 0) matcher.lastIndex = end;
      continue;
    }
    if (text[match.index - 1] === '\\') continue;
    const link = linkIn(match);
    const changed = link && replace(link);
    // Pictures within the text of a link are separate links.
    const nested = link?.kind === 'address' && !link.isDefinition && inside === undefined ? link.text : '';
    if (changed === undefined && nested.includes('![')) {
      matcher.lastIndex = match.index + 1;
      continue;
    }
    if (changed === undefined) continue;
    out += text.slice(from, match.index) + changed;
    from = matcher.lastIndex;
  }
  return out + text.slice(from);
}

function linkIn(match: RegExpExecArray): FoundLink | undefined {
  const [whole, , embed, inside, id, pointed, bare, image, text, address, plain, more, tag] = match;
  if (inside !== undefined) return { kind: 'wiki', isEmbed: embed === '!', inside };
  if (id !== undefined)
    return {
      ...{ kind: 'address', isImage: false, text: id, target: pointed ?? bare ?? '' },
      ...{ more: '', isDefinition: true },
    };
  if (text !== undefined)
    return {
      ...{ kind: 'address', isImage: image === '!', text, target: address ?? plain ?? '' },
      ...{ more: more ?? '', isDefinition: false },
    };
  if (tag === undefined) return undefined;
  const [, , , value] = /\s(src|href)\s*=\s*(["'])([^"'<>]*)\2/i.exec(whole) ?? [];
  return value === undefined ? undefined : { kind: 'tag', target: value, written: whole };
}

function endOf(text: string, mark: string, from: number, unclosed: Set<string>): number {
  if (unclosed.has(mark)) return 0;
  const close = mark === '<!--' ? '-->' : mark;
  for (let at = text.indexOf(close, from); at >= 0; at = text.indexOf(close, at + 1)) {
    // A run of backticks is closed by one of the same length.
    if (mark[0] !== '`') return at + close.length;
    const isWhole = text[at - 1] !== '`' && text[at + close.length] !== '`';
    if (isWhole) return at + close.length;
    while (text[at + 1] === '`') at++;
  }
  unclosed.add(mark);
  return 0;
}
