/** Blocks of code as programs show them: below their title, and without comments by which lines are marked. */
import { codeIn } from '@coppice/markdown';

const shows: ReadonlySet<string> = new Set(['docusaurus', 'mkdocs', 'nextjs', 'vitepress']);
const ofFence =
  /^(?:`{3,}(?!`)|~{3,}(?!~))[^\n]*?(?:\b(?:title|filename)=(?:"([^"\n]+)"|'([^'\n]+)')|[ \t]\[([^[\]\n]+)\])[^\n]*/;
const mark = /^[ \t]*(?:\/\/|#|--|;|%|<!--|\/\*|\{\/\*)[ \t]*highlight-(?:next-line|start|end)\b[^\n]*\n/gm;

/** `kind`: the program. `changed` is called for each block that is written otherwise. Titles of blocks within quotes stay where they are. */
export function withTitledCode(
  text: string,
  kind: string,
  changed: (before: string, after: string) => void = () => {},
): string {
  if (!shows.has(kind)) return text;
  let out = '';
  let at = 0;
  for (const [start, end] of codeIn(text)) {
    const code = text.slice(start, end);
    const indentation = /[ \t]*$/.exec(text.slice(at, start).slice(-40))?.[0] ?? '';
    const first = start - indentation.length;
    const isBlock = code.includes('\n') && (first === 0 || text[first - 1] === '\n');
    if (!isBlock) continue;
    const [, double, single, bracketed] = ofFence.exec(code) ?? [];
    const title = double ?? single ?? bracketed;
    const above =
      title === undefined ? '' : `${indentation}**${title.replace(/[\\`*_[\]<>$#&~]/g, '\\$&')}**\n\n`;
    const shown = kind === 'docusaurus' ? code.replace(mark, '') : code;
    if (above !== '' || shown !== code) changed(code.slice(0, 500), (above + shown).slice(0, 500));
    out += `${text.slice(at, first)}${above}${indentation}${shown}`;
    at = end;
  }
  return out + text.slice(at);
}
