/** Notes exported from Evernote (.enex): each becomes a page, with its tags, times, attachments and ticks. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { decodeEntities } from '@coppice/wikitext';
import type { Element, Root } from 'hast';
import { SaxesParser } from 'saxes';
import { Problem } from '#core/model/problem.ts';
import { all, htmlToMarkdown, textOf } from '../documents/html.ts';
import type { Approximation } from '../source.ts';
import type { Unpacking } from './unpacked-tree.ts';

interface Resource {
  data: string;
  mime: string;
  name: string;
}

interface Task {
  title: string;
  isDone: boolean;
}

interface Note {
  title: string;
  content: string;
  tags: string[];
  created: string;
  updated: string;
  author: string;
  source: string;
  tasks: Task[];
  resources: Resource[];
}

/** Longest note with its attachments, as it is written. */
const maxNoteLength = 400_000_000;
/** Exports nest their elements five deep. */
const maxDepth = 100;

export async function unpackEvernote(file: string, to: Unpacking): Promise<void> {
  const waiting: Note[] = [];
  const path: string[] = [];
  let note: Note | undefined;
  let text = '';
  let length = 0;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    if (path.push(name) > maxDepth) throw new Error(`its elements are nested more than ${maxDepth} deep`);
    text = '';
    if (name === 'note') {
      note = {
        title: '',
        content: '',
        tags: [],
        created: '',
        updated: '',
        author: '',
        source: '',
        tasks: [],
        resources: [],
      };
      length = 0;
    }
    if (name === 'task') note?.tasks.push({ title: '', isDone: false });
    if (name === 'resource') note?.resources.push({ data: '', mime: '', name: '' });
  });
  const take = (some: string) => {
    text += some;
    length += some.length;
    if (length > maxNoteLength) throw new Problem('too-large', `The note “${note?.title}” is too long.`);
  };
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('closetag', ({ name }) => {
    path.pop();
    const resource = note?.resources.at(-1);
    const isInResource = path.includes('resource');
    if (!note) return;
    if (name === 'note') {
      waiting.push(note);
      note = undefined;
    } else if (isInResource && resource) {
      if (name === 'data') resource.data = text;
      if (name === 'mime') resource.mime = text.trim();
      if (name === 'file-name') resource.name = text.trim();
    } else if (path.at(-1) === 'task') {
      const task = note.tasks.at(-1);
      if (task && name === 'title') task.title = text.trim();
      if (task && name === 'taskStatus') task.isDone = text.trim() === 'completed';
    } else if (name === 'source-url' && path.at(-1) === 'note-attributes') note.source = text.trim();
    else if (name === 'author' && path.at(-1) === 'note-attributes') note.author = text.trim();
    else if (name === 'tag') note.tags.push(text.trim());
    else if (
      path.at(-1) === 'note' &&
      (name === 'title' || name === 'content' || name === 'created' || name === 'updated')
    )
      note[name] = text;
    text = '';
  });
  try {
    for await (const chunk of createReadStream(file, 'utf8')) {
      parser.write(chunk as string);
      for (const one of waiting.splice(0)) await writeNote(one, to);
    }
    parser.close();
    for (const one of waiting.splice(0)) await writeNote(one, to);
  } catch (error) {
    if (error instanceof Problem || (error as NodeJS.ErrnoException).syscall) throw error;
    throw new Problem('invalid', `The export is damaged: ${(error as Error).message.replace(/\.$/, '')}.`, {
      cause: error,
    });
  }
}

async function writeNote(
  { title, content, tags, created, updated, author, source, tasks, resources }: Note,
  to: Unpacking,
): Promise<void> {
  const path = to.free('', title, '.md');
  const byHash = new Map<string, { path: string; mime: string; name: string }>();
  for (const { data, mime, name } of resources) {
    const bytes = Buffer.from(data, 'base64');
    const ending = /\.\w{1,10}$/.exec(name)?.[0] ?? `.${/\/(\w{1,10})/.exec(mime)?.[1] ?? 'bin'}`;
    const stored = to.free('files/', name.replace(/\.\w{1,10}$/, '') || 'file', ending);
    await to.add(stored, bytes);
    byHash.set(createHash('md5').update(bytes).digest('hex'), { path: stored, mime, name: name || stored });
  }
  const approximated: Approximation[] = [];
  const shownFiles = new Set<string>();
  const html = content
    .replace(/^[\s\S]{0,2000}?(?=<en-note)/, '')
    .replace(/<en-todo\b([^<>]*?)\/?>(?:<\/en-todo>)?/g, (_, rest: string) =>
      /checked="true"/.test(rest) ? '☑ ' : '☐ ',
    )
    .replace(/<en-crypt\b[^<>]*>[^<]*<\/en-crypt>/g, (before) => {
      approximated.push({ construct: 'encrypted text, left out', before: before.slice(0, 300), after: '' });
      return '';
    })
    // The export does not say which note a link means, but a label is usually its title.
    .replace(
      /(<a\b[^<>]*?\shref=")evernote:[^"<>]*("[^<>]*>)([^<]{1,300})(?=<\/a>)/g,
      (_, before: string, after: string, label: string) =>
        `${before}${encodeURI(to.nameOf(decodeEntities(label)))}.md${after}${label}`,
    )
    .replace(/<en-media\b([^<>]*?)\/?>(?:<\/en-media>)?/g, (whole, rest: string) => {
      const file = byHash.get((/\bhash="([0-9a-f]{32})"/i.exec(rest)?.[1] ?? '').toLowerCase());
      if (!file) {
        approximated.push({
          construct: 'attachment that the export lacks',
          before: whole.slice(0, 300),
          after: '',
        });
        return '';
      }
      shownFiles.add(file.path);
      const address = encodeURI(file.path);
      return file.mime.startsWith('image/')
        ? `<img src="${address}">`
        : `<a href="${address}">${escaped(file.name)}</a>`;
    });
  // Tasks and attachments that the text does not show are listed below it.
  const below = [
    ...tasks.map(
      ({ title, isDone }) => `<li><input type="checkbox"${isDone ? ' checked' : ''}>${escaped(title)}</li>`,
    ),
    ...Array.from(byHash.values(), ({ path, name }) =>
      shownFiles.has(path) ? '' : `<li><a href="${encodeURI(path)}">${escaped(name)}</a></li>`,
    ),
  ].join('');
  const list = below === '' ? '' : `<ul>${below}</ul>`;
  const { text, shown } = htmlToMarkdown(`<body>${html}${list}</body>`, fromEvernote);
  const facts = {
    title: title.trim() || undefined,
    tags: tags.length > 0 ? tags : undefined,
    created: timeOf(created),
    updated: timeOf(updated),
    author: author || undefined,
    source: source || undefined,
  };
  await to.addPage(path, facts, text, { approximated, shown });
}

const wordStyles = [
  [/(?:^|;)\s*font-weight:\s*(?:bold|[6-9]00)/, 'strong'],
  [/(?:^|;)\s*font-style:\s*italic/, 'em'],
  [/(?:^|;)\s*text-decoration[^;]*line-through/, 'del'],
  [/(?:^|;)\s*text-decoration[^;]*underline/, 'u'],
] as const;

/** Code, ticks and marked words are told by styles: `--en-codeblock:true`, `--en-checked:true`. */
function fromEvernote(root: Root): undefined {
  const has = ({ properties }: Element, style: RegExp) => style.test(String(properties.style ?? ''));
  for (const one of all(root, ({ properties }) => properties.style !== undefined)) {
    if (has(one, /-en-codeblock:\s*true/)) {
      const lines = one.children.map((line) => textOf(line));
      Object.assign(one, { tagName: 'pre', children: [{ type: 'text', value: lines.join('\n') }] });
    } else if (one.tagName === 'li' && has(one, /--en-checked:/)) {
      const properties = { type: 'checkbox', ...(has(one, /--en-checked:\s*true/) ? { checked: true } : {}) };
      const [first] = one.children;
      const inside = first?.type === 'element' && first.tagName === 'div' ? first : one;
      inside.children.unshift({ type: 'element', tagName: 'input', properties, children: [] });
      if (inside !== one) one.children.splice(0, 1, ...inside.children);
    } else if (has(one, /-evernote-highlight:\s*true|--en-highlight:/)) one.tagName = 'mark';
    else if (one.tagName === 'span')
      for (const [style, tagName] of wordStyles)
        if (has(one, style)) one.children = [{ ...one, tagName, properties: {} }];
  }
}

/** `20240305T101112Z` in the form of ISO 8601. */
function timeOf(text: string): string | undefined {
  const [, year, month, day, hour, minute, second] =
    /^\s*(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(text) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}T${hour}:${minute}:${second}Z`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
