/** Documents of word processors: .docx by mammoth, .odt by its own elements. Both become Markdown by way of HTML. */
import mammoth from 'mammoth';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { Problem } from '#core/model/problem.ts';
import { bytesOf, type FileTree } from '../documents/file-tree.ts';
import { htmlToMarkdown } from '../documents/html.ts';
import type { Unpacking } from './unpacked-tree.ts';

/** Uncompressed size of one document with its pictures. */
const maxDocumentBytes = 200_000_000;

/** `name`: of the file, without its ending. */
export async function unpackDocx(bytes: Buffer, name: string, to: Unpacking): Promise<void> {
  const path = to.free('', name, '.md');
  let count = 0;
  const convertImage = mammoth.images.imgElement(async (image) => {
    const kind = /^image\/([a-z0-9]{1,10})/.exec(image.contentType)?.[1] ?? 'png';
    const picture = to.free('', `${name}-${++count}`, `.${kind === 'jpeg' ? 'jpg' : kind}`);
    await to.add(picture, await image.readAsBuffer());
    return { src: encodeURI(picture) };
  });
  const { value } = await reading(() => mammoth.convertToHtml({ buffer: bytes }, { convertImage }));
  const { text, shown } = htmlToMarkdown(`<body>${value}</body>`);
  await to.addPage(path, titleIn(text) ? {} : { title: name }, text, { shown });
}

export async function unpackOdt(tree: FileTree, name: string, to: Unpacking): Promise<void> {
  const pictures = new Map<string, string>();
  for (const path of tree.paths.filter((path) => path.startsWith('Pictures/'))) {
    const picture = to.free(
      '',
      `${name}-${path.slice('Pictures/'.length).replace(/\.\w+$/, '')}`,
      /\.\w+$/.exec(path)?.[0] ?? '',
    );
    pictures.set(path, picture);
    await to.add(picture, tree.open(path));
  }
  const content = await bytesOf(tree, 'content.xml', maxDocumentBytes);
  const html = await reading(async () => htmlOfOdt(content.toString('utf8'), pictures));
  const { text, shown } = htmlToMarkdown(`<body>${html}</body>`);
  await to.addPage(to.free('', name, '.md'), titleIn(text) ? {} : { title: name }, text, { shown });
}

function titleIn(text: string): boolean {
  return /^# \S/m.test(text.slice(0, 20_000));
}

const elements: Readonly<Record<string, string>> = {
  'text:p': 'p',
  'text:list': 'ul',
  'text:list-item': 'li',
  'table:table': 'table',
  'table:table-row': 'tr',
  'table:table-cell': 'td',
  'text:note-body': 'small',
};
/** Parts that show no text, or repeat it. */
const skipped =
  /^(?:text:tracked-changes|office:annotation|text:note-citation|text:table-of-content|svg:(?:title|desc)|office:forms)$/;

function htmlOfOdt(xml: string, pictures: ReadonlyMap<string, string>): string {
  let out = '';
  let skipping = 0;
  let style = '';
  const styles = new Map<string, string[]>();
  const numbered = new Set<string>();
  const ends: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    if (skipping > 0 || skipped.test(name)) {
      skipping++;
      return;
    }
    if (name === 'style:style' || name === 'text:list-style') style = attributes['style:name'] ?? '';
    if (name === 'text:list-level-style-number' && attributes['text:level'] === '1') numbered.add(style);
    if (name === 'style:text-properties') {
      const tags = [
        attributes['fo:font-weight'] === 'bold' ? 'strong' : '',
        attributes['fo:font-style'] === 'italic' ? 'em' : '',
        attributes['style:text-line-through-style'] === 'solid' ? 'del' : '',
      ];
      styles.set(style, tags.filter(Boolean));
    }
    let tag = elements[name];
    if (name === 'text:h')
      tag = `h${Math.min(6, Math.max(1, Number(attributes['text:outline-level'] ?? 1)))}`;
    if (name === 'text:list' && numbered.has(attributes['text:style-name'] ?? '')) tag = 'ol';
    if (name === 'text:line-break') out += '<br>';
    if (name === 'text:tab' || name === 'text:s') out += ' ';
    if (name === 'draw:image') {
      const picture = pictures.get(attributes['xlink:href'] ?? '');
      if (picture !== undefined) out += `<img src="${escaped(encodeURI(picture))}">`;
    }
    let [open, end] = tag === undefined ? ['', ''] : [`<${tag}>`, `</${tag}>`];
    if (name === 'text:a') [open, end] = [`<a href="${escaped(attributes['xlink:href'] ?? '')}">`, '</a>'];
    if (name === 'text:span') {
      const tags = styles.get(attributes['text:style-name'] ?? '') ?? [];
      open = tags.map((one) => `<${one}>`).join('');
      end = tags
        .toReversed()
        .map((one) => `</${one}>`)
        .join('');
    }
    out += open;
    ends.push(end);
  });
  parser.on('closetag', () => {
    if (skipping > 0) skipping--;
    else out += ends.pop() ?? '';
  });
  parser.on('text', (text) => {
    if (skipping === 0) out += escaped(text);
  });
  parser.write(xml).close();
  return out;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

async function reading<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem || (error as NodeJS.ErrnoException).syscall) throw error;
    throw new Problem('invalid', `The document is damaged: ${(error as Error).message}.`, { cause: error });
  }
}
