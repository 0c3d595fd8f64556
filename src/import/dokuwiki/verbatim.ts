/**
 * Text that DokuWiki takes as it stands, and programs. Both are found before anything else, whichever begins first, and are
 * replaced by marks, so that a program of several lines remains part of its list item or cell.
 */
import {
  approximate,
  escapeText,
  type InlineTargets,
  literal,
  mark,
  markOf,
  type Verbatim,
} from './inline.ts';

const opening =
  /%%|<nowiki>|<(code|file|html|php|sxh|ditaa|graphviz|dot|uml|plantuml|mermaid|aafigure|gnuplot|wavedrom|abc|nomnoml|latex)\b([^<>\n]{0,300})>/gi;

export function takenOut(
  text: string,
  targets: Pick<InlineTargets, 'approximated'>,
): { text: string; verbatim: Verbatim[] } {
  const verbatim: Verbatim[] = [];
  // Marks that the text has itself would be taken for ours.
  const clean = text.replace(/[\uE000\uE001]/g, '');
  const matcher = new RegExp(opening);
  const unclosed = new Set<string>();
  let out = '';
  let from = 0;
  for (let match = matcher.exec(clean); match; match = matcher.exec(clean)) {
    const [whole, name, attributes = ''] = match;
    const close = name ? `</${name}>` : whole === '%%' ? '%%' : '</nowiki>';
    const end = unclosed.has(close) ? -1 : clean.indexOf(close, matcher.lastIndex);
    if (end < 0) {
      unclosed.add(close);
      continue;
    }
    const inside = clean.slice(matcher.lastIndex, end);
    const kind = name?.toLowerCase();
    const isEmbedded = kind === 'html' || kind === 'php';
    if (isEmbedded) approximate(targets, `${kind} in the page`, whole + inside, 'shown as code');
    else if (kind !== undefined && kind !== 'code' && kind !== 'file')
      approximate(
        targets,
        `plugin ${kind}`,
        whole + inside,
        kind === 'latex' ? 'a formula' : 'shown as code',
      );
    out += clean.slice(from, match.index) + mark(verbatim.length);
    verbatim.push({
      isProgram: name !== undefined,
      plain: inside,
      source: whole + inside + close,
      wikitext: name === undefined ? literal(inside) : programOf(kind ?? '', inside, attributes),
    });
    matcher.lastIndex = end + close.length;
    from = matcher.lastIndex;
  }
  return { text: out + clean.slice(from), verbatim };
}

/** The line, cut at its programs. */
export function programs(line: string, verbatim: readonly Verbatim[]): (string | Verbatim)[] {
  const parts: (string | Verbatim)[] = [];
  let from = 0;
  for (const match of line.matchAll(markOf)) {
    const found = verbatim[Number(match[1])];
    if (!found?.isProgram) continue;
    parts.push(line.slice(from, match.index), found);
    from = match.index + match[0].length;
  }
  return [...parts, line.slice(from)];
}

/** The text as it was written. */
export function sourceText(text: string, verbatim: readonly Verbatim[]): string {
  return text.replace(markOf, (_, index) => verbatim[Number(index)]?.source ?? '');
}

/** The text without the markup around verbatim parts. */
export function plainText(text: string, verbatim: readonly Verbatim[]): string {
  return text.replace(markOf, (_, index) => verbatim[Number(index)]?.plain ?? '');
}

function programOf(kind: string, inside: string, attributes: string): string {
  if (kind === 'latex') return `<math>${escapeText(inside.trim())}</math>`;
  const isCode = kind === 'code' || kind === 'file' || kind === 'sxh';
  return isCode ? codeOf(inside, attributes.replace(/;.*$/, '')) : codeOf(inside, kind);
}

/** Attributes are a language, options in brackets, and the name of the file, which DokuWiki shows above. */
function codeOf(inside: string, attributes: string): string {
  const [, language, name = ''] =
    /^\s*([\w+#-]{1,40})?(?:\s+\[[^\]]*\])?(?:\s+(\S.*?))?\s*$/.exec(attributes) ?? [];
  const title = name === '' ? '' : `'''${escapeText(name)}''' `;
  const text = inside.replace(/^\n|\n$/g, '');
  if (language === undefined || language === '-' || /<\/syntaxhighlight/i.test(text))
    return `${title}<pre>\n${escapeText(text)}\n</pre>`;
  return `${title}<syntaxhighlight lang="${language}">\n${text}\n</syntaxhighlight>`;
}
