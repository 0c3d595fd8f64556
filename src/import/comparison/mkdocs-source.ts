/** Blocks, tabs, boxes and marks of MkDocs' extensions as plain Markdown, with the words that MkDocs shows of them. */
import { ownTitle } from './own-title.ts';

const header =
  /^([ \t]*)(?:={3}[!+]{0,2}|!!!|\?\?\?\+?)[ \t]+(?:([\w-]{1,40})[^"\n]{0,100}?)?(?:[ \t]*"([^"\n]*)")?[ \t]*$/;
const block = /^[ \t]*\/{3,}[ \t]*([a-z][\w-]{0,40})?(?:[ \t]*\|[ \t]*(.*?))?[ \t]*$/i;

export function plainMkDocs(text: string): string {
  return undented(text)
    .replace(/^ {0,3}\*\[[^\]\n]{1,100}\]:.*$/gm, '')
    .replace(/(?<!`)(`{1,3})[ \t]?(?:#!|:::)[A-Za-z][\w+-]{0,30}[ \t]+(?=[^`\n]{1,1000}`)/g, '$1')
    .replace(/:(?:material|fontawesome|octicons|simple)-[a-z0-9-]{1,80}:(?:\{[^{}\n]{0,200}\})?[ \t]?/g, '')
    .replace(/--\}\{\+\+/g, '')
    .replace(/\{~~([^{}]{1,2000}?)~>([^{}]{0,2000}?)~~\}/g, '$1$2')
    .replace(
      /(<[a-z]{1,20}\b[^<>\n]{0,300})[ \t]markdown(?:="[^"\n]*")?([^<>\n]{0,300}>)[ \t]*\n[ \t]*/g,
      '$1$2\n\n',
    );
}

/** Lines in tabs, boxes and blocks as they would stand without these. */
function undented(text: string): string {
  const out: string[] = [];
  const open: number[] = [];
  const numbers = { figure: 0, table: 0 };
  let hasOptions = false;
  let caption = '';
  let isDefinition = false;
  for (const line of text.split('\n')) {
    const width = (/^[ \t]*/.exec(line)?.[0] ?? '').replaceAll('\t', '    ').length;
    if (hasOptions && /^ {4,}[\w-]+:/.test(line)) continue;
    hasOptions = false;
    const isBlank = line.trim() === '';
    while (!isBlank && width < (open.at(-1) ?? 0)) open.pop();
    const own = line.replace(new RegExp(`^(?: {4}|\\t){0,${open.length}}`), '');
    const box = header.exec(line);
    const [mark, name = '', title = ''] = block.exec(line) ?? [];
    if (box) {
      out.push(ownTitle(box[3] ?? '', box[2] ?? ''), '');
      open.push(width + 4);
    } else if (mark !== undefined) {
      hasOptions = name !== '';
      isDefinition = name.startsWith('defin');
      const [, kind] = /^(figure|table)-caption$/.exec(name) ?? [];
      const isNumbered = kind !== undefined && !title.includes('^');
      const number = isNumbered ? ++numbers[kind as 'figure' | 'table'] : 0;
      caption = isNumbered ? `${kind} ${/[\d.]+$/.exec(title)?.[0] ?? number}. ` : '';
      const isShown = !/^(?:html|.*caption|define|definition)$/.test(name);
      out.push('', isShown ? ownTitle(title, name) : '', '');
    } else {
      out.push(`${isBlank ? '' : caption}${isDefinition ? own.replace(/^[-*+][ \t]+/, '\n') : own}`);
      if (!isBlank) caption = '';
    }
  }
  return out.join('\n');
}
