/** Abbreviations of Markdown Extra: `*[HTML]: Hyper Text Markup Language` explains each `HTML` in the text. */
import { outsideCode } from './tags.ts';

const definition = /^ {0,3}\*\[([^\]\n]{1,100})\]:[ \t]*(.*)(?:\n|$)/gm;
const most = 200;
/** Addresses, tags, links in brackets and attributes hold names that are not shown. */
const unshown = String.raw`\]\([^)\n]{0,1000}\)|<[^<>\n]{1,1000}>|\[\[[^\]\n]{1,500}\]\]|\{[^{}\n]{1,500}\}|https?:\S{1,1000}|^ {0,3}\[[^\]\n]{1,300}\]:.*$`;

export function withAbbreviations(
  text: string,
  named: (construct: string, before: string, after: string) => string,
): string {
  const meanings = new Map<string, string>();
  const rest = outsideCode(text, (part) =>
    part.replace(definition, (before, short: string, meaning: string) => {
      if (meanings.size >= most) return before;
      meanings.set(short, meaning.trim());
      return '';
    }),
  );
  if (meanings.size === 0) return text;
  for (const [short, meaning] of meanings)
    named('abbreviation', `*[${short}]: ${meaning}`, elementOf(short, meaning));
  const names = [...meanings.keys()].sort((a, b) => b.length - a.length);
  const escaped = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const pattern = new RegExp(`${unshown}|(?<![\\p{L}\\p{N}_])(?:${escaped})(?![\\p{L}\\p{N}_])`, 'gmu');
  return outsideCode(rest, (part) =>
    part.replace(pattern, (found) => {
      const meaning = meanings.get(found);
      return meaning === undefined ? found : elementOf(found, meaning);
    }),
  );
}

function elementOf(short: string, meaning: string): string {
  return `<abbr title="${meaning.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}">${short}</abbr>`;
}
