/** Logseq: properties of pages become front matter, IDs of blocks marks, references and embeds links to them. */
import { stringify } from 'yaml';
import type { Approximation } from '../../source.ts';
import { outsideCode } from './tags.ts';

const property = /^[ \t]*(?:-[ \t]+)?([A-Za-z][\w/.-]{0,100})::(?:[ \t]+(.*))?$/;
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const lists = /^(?:tags|alias|aliases)$/i;
const ownProperties = /^[ \t]*(?:id|collapsed|heading|background-color|logseq\.[\w.-]+|query-[\w-]+)::.*$/;

const leadingProperty =
  /^([ \t]*-[ \t]+)(?:collapsed|heading|background-color|logseq\.[\w.-]+)::.*\n[ \t]+(?![-*][ \t])(?=\S)/gm;

/** Lines `name:: value` at the beginning, as front matter. */
export function withFrontMatter(text: string): string {
  const lines = text.split('\n');
  const facts: Record<string, unknown> = {};
  let count = 0;
  for (const line of lines) {
    const [, name = '', value = ''] = property.exec(line) ?? [];
    if (name === '') break;
    const words = value.split(/[,，]/).map((one) =>
      one
        .trim()
        .replace(/^#?\[\[(.*)\]\]$/, '$1')
        .replace(/^#/, ''),
    );
    facts[name.toLowerCase()] = lists.test(name) ? words.filter(Boolean) : value.trim();
    count++;
  }
  if (count === 0) return text;
  return `---\n${stringify(facts)}---\n${lines.slice(count).join('\n')}`;
}

/** IDs of blocks in the text → their first lines. */
export function blocksIn(text: string): Map<string, string> {
  const blocks = new Map<string, string>();
  for (const [, line = '', id = ''] of text.matchAll(blockId))
    blocks.set(id.toLowerCase(), line.replace(/^[ \t]*(?:[-*][ \t]+)?(?:#{1,6}[ \t]+)?/, '').trim());
  return blocks;
}

const blockId = new RegExp(
  `^(.*)\\n(?:[ \\t]*[\\w.-]+::.*\\n){0,20}?[ \\t]*id::[ \\t]*(${uuid})[ \\t]*$`,
  'gim',
);
const markedLine = new RegExp(
  `^(.*)( \\^${uuid})((?:\\n[ \\t]+(?![-*+>|#]|\\d+[.)]|\`{3}|~{3}|\\$\\$|[\\w.-]+::)\\S.*)+)$`,
  'gm',
);
const reference = new RegExp(
  `\\{\\{embed[ \\t]*\\(\\((${uuid})\\)\\)[ \\t]*\\}\\}|(?:\\[([^\\[\\]\\n]{1,300})\\]\\()?\\(\\((${uuid})\\)\\)\\)?`,
  'gi',
);

/** `blockOf`: page and first line of a block anywhere in the graph. */
export function fromLogseq(
  text: string,
  blockOf: (id: string) => { page: string; line: string } | undefined,
  approximated: Approximation[],
): string {
  const named = (construct: string, before: string, after: string) => {
    approximated.push({ construct, before, after });
    return after;
  };
  const marked = withOrgBlocks(withoutDrawers(text), named).replace(
    blockId,
    (before: string, _line: string, id: string) => {
      const [first = '', ...rest] = before.split('\n');
      named('property', rest.at(-1) ?? '', `^${id.toLowerCase()}`);
      return [`${first} ^${id.toLowerCase()}`, ...rest.slice(0, -1)].join('\n');
    },
  );
  return outsideCode(withMarksAtEnds(marked), (part) =>
    part
      .replace(reference, (before: string, embedded?: string, label?: string, id?: string) => {
        const key = (embedded ?? id ?? '').toLowerCase();
        const block = blockOf(key);
        if (!block) return before;
        const shown = label ?? plain(block.line);
        const after = embedded
          ? `![[${block.page}#^${key}]]`
          : `[[${block.page}#^${key}|${shown || block.page}]]`;
        return named('block reference', before, after);
      })
      .replace(/\{\{embed[ \t]*\[\[([^[\]\n]{1,300})\]\][ \t]*\}\}/gi, (before, page: string) =>
        named('embedded page', before, `![[${page}]]`),
      )
      .replace(
        /(\]\([^()\n]{1,1000}\))\{:(?:[ \t]*(?:height|width)[ \t]+\d{1,5},?[ \t]*:?){1,2}\}/g,
        (before, picture: string) => {
          const size = [...before.slice(picture.length).matchAll(/(width|height)[ \t]+(\d+)/g)];
          return named(
            'size of a picture',
            before,
            `${picture}{${size.map(([, side, px]) => `${side}=${px}`).join(' ')}}`,
          );
        },
      )
      .replace(/\^\^(?=\S)([^^\n]{1,1000})\^\^/g, (before, inside: string) =>
        named('highlight', before, `==${inside}==`),
      )
      .replace(
        /\{\{(?:query|renderer|function|cards|namespace|zotero\S*)\b[^\n`]{0,1000}?\}\}(?!\})/g,
        (before) => named('program', before, `\`${before}\``),
      )
      .replace(/\{\{(?:video|youtube|tweet)[ \t]+([^\s{}]{1,500})[ \t]*\}\}/gi, (before, address: string) =>
        named('embedded page', before, `<${address}>`),
      )
      .replace(/\[([^[\]\n]{1,300})\]\(\[\[([^[\]\n]{1,300})\]\]\)/g, (before, label: string, page: string) =>
        named('link', before, `[[${page}|${label}]]`),
      )
      .replace(
        /^([ \t]*[-*][ \t]+)(TODO|DOING|LATER|NOW|WAITING|DONE|CANCELED)[ \t]+/gm,
        (before, bullet: string, state: string) =>
          named('task', before, `${bullet}[${/^(?:DONE|CANCELED)$/.test(state) ? 'x' : ' '}] `),
      )
      // A block may begin with its properties.
      .replace(leadingProperty, (before, bullet: string) => named('property', before, bullet))
      .split('\n')
      .filter((line) => {
        const isOwn = ownProperties.test(line);
        if (isOwn) approximated.push({ construct: 'property', before: line, after: '' });
        return !isOwn;
      })
      .join('\n'),
  );
}

/** A mark names its block only at the end of a paragraph, which may go on after the properties. */
function withMarksAtEnds(text: string): string {
  return text.replace(markedLine, (_, line: string, mark: string, more: string) => `${line}${more}${mark}`);
}

/** A line as words: labels of links hold no marks. */
function plain(line: string): string {
  return line
    .replace(/!?\[([^[\]\n]{0,300})\]\([^()\n]{0,1000}\)/g, '$1')
    .replace(/<\/?[a-z]{1,20}>/gi, '')
    .replace(/\*\*|__|~~|==|\^\^|`|[[\]|]/g, '')
    .replace(/(?<![\p{L}\p{N}*_])([*_])(?=\S)([^*_\n]{1,300})\1(?![\p{L}\p{N}*_])/gu, '$2');
}

/** Times that Logseq records for a task and does not show. */
function withoutDrawers(text: string): string {
  return text.replace(/^[ \t]*:LOGBOOK:[ \t]*\n(?:(?!.*:END:).*\n){0,500}[ \t]*:END:[ \t]*(?:\n|$)/gm, '');
}

const boxes: Readonly<Record<string, string>> = {
  note: 'note',
  tip: 'tip',
  important: 'important',
  caution: 'caution',
  warning: 'warning',
  pinned: 'note',
};

/** Blocks as Org mode writes them: `#+BEGIN_QUOTE` … `#+END_QUOTE`. */
function withOrgBlocks(
  text: string,
  named: (construct: string, before: string, after: string) => string,
): string {
  if (!/#\+begin_/i.test(text)) return text;
  const lines = text.split('\n');
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, lead = '', name = '', rest = ''] =
      /^([ \t]*(?:[-*][ \t]+)?)#\+BEGIN_(\w+)[ \t]*(.*)$/i.exec(lines[at] ?? '') ?? [];
    const end =
      name === ''
        ? -1
        : lines.findIndex(
            (line, index) => index > at && line.trim().toLowerCase() === `#+end_${name.toLowerCase()}`,
          );
    if (end < 0) {
      out.push(lines[at] ?? '');
      continue;
    }
    const space = lead.replace(/[-*]/g, ' ');
    const inside = lines
      .slice(at + 1, end)
      .map((line) => (line.startsWith(space) ? line.slice(space.length) : line.trimStart()));
    const box = boxes[name.toLowerCase()];
    const isQuote = box !== undefined || /^(?:quote|center|verse)$/i.test(name);
    const after = isQuote
      ? [...(box ? [`[!${box}]`] : []), ...inside].map((line) => `> ${line}`)
      : [`\`\`\`${rest.split(/\s/, 1)[0] ?? ''}`, ...inside, '```'];
    named(
      'block of Org mode',
      lines
        .slice(at, end + 1)
        .join('\n')
        .slice(0, 500),
      after.join('\n').slice(0, 500),
    );
    out.push(...after.map((line, index) => `${index === 0 ? lead : space}${line}`));
    at = end;
  }
  return out.join('\n');
}
