/** Portable exports of BookStack: a zip with `data.json`, which holds a book, chapter or page, and with its files. */

import { asBoxes } from '../documents/bookstack-boxes.ts';
import { bytesOf, type FileTree } from '../documents/file-tree.ts';
import { htmlToMarkdown } from '../documents/html.ts';
import { type Facts, isFacts, textIn } from '../documents/settings.ts';
import type { Unpacking } from './unpacked-tree.ts';

const maxDataBytes = 400_000_000;

export function isOfBookStack({ paths }: FileTree): boolean {
  return (
    paths.includes('data.json') && paths.every((path) => path === 'data.json' || path.startsWith('files/'))
  );
}

export async function unpackBookStack(tree: FileTree, to: Unpacking): Promise<void> {
  const data: unknown = JSON.parse((await bytesOf(tree, 'data.json', maxDataBytes)).toString('utf8'));
  const pages: { path: string; facts: Facts }[] = [];
  /** Number in `[[bsexport:page:40]]`, with its kind → path from the top. */
  const addresses = new Map<string, string>();
  const collect = async (kind: string, facts: Facts, above: string): Promise<void> => {
    const name = textIn(facts, 'name') ?? kind;
    const path = to.free(above, name, '.md');
    await to.add(path, '');
    pages.push({ path, facts });
    addresses.set(`${kind}:${facts.id}`, `/${path}`);
    for (const image of [...listOf(facts, 'images'), ...listOf(facts, 'attachments')]) {
      const file = textIn(image, 'file');
      const kind =
        facts.images !== undefined && listOf(facts, 'images').includes(image) ? 'image' : 'attachment';
      const link = textIn(image, 'link');
      if (link !== undefined) addresses.set(`${kind}:${image.id}`, link);
      if (file === undefined || !tree.paths.includes(`files/${file}`)) continue;
      const shown = textIn(image, 'name') ?? file;
      const stored = to.free(
        'files/',
        shown.replace(/\.\w{1,10}$/, ''),
        /\.\w{1,10}$/.exec(shown)?.[0] ?? /\.\w{1,10}$/.exec(file)?.[0] ?? '',
      );
      await to.add(stored, tree.open(`files/${file}`));
      addresses.set(`${kind}:${image.id}`, `/${stored}`);
    }
    const beneath = path.replace(/\.md$/, '/');
    for (const chapter of listOf(facts, 'chapters')) await collect('chapter', chapter, beneath);
    for (const page of listOf(facts, 'pages')) await collect('page', page, beneath);
  };
  const top = isFacts(data) ? data : {};
  for (const kind of ['book', 'chapter', 'page'] as const) {
    const one = top[kind];
    const cover = isFacts(one) ? textIn(one, 'cover') : undefined;
    if (cover !== undefined)
      to.leftOut.push({ source: `files/${cover}`, why: 'pages have no cover picture' });
    if (isFacts(one)) await collect(kind, one, '');
  }
  for (const { path, facts } of pages) {
    const linked = (text: string) =>
      text.replace(/\[\[bsexport:([a-z]+:\d+)\]\]/g, (whole, key: string) =>
        encodeURI(addresses.get(key) ?? whole),
      );
    const markdown = textIn(facts, 'markdown');
    const html = textIn(facts, 'html') ?? textIn(facts, 'description_html');
    const { text, shown } =
      markdown === undefined
        ? htmlToMarkdown(`<body>${linked(html ?? '')}</body>`, asBoxes)
        : { text: linked(markdown), shown: undefined };
    // BookStack lists attachments beside the page.
    const attached = listOf(facts, 'attachments').flatMap((attachment) => {
      const address = addresses.get(`attachment:${attachment.id}`);
      const name = (textIn(attachment, 'name') ?? '').replace(/[[\]\\]/g, '\\$&');
      return address === undefined
        ? []
        : [`- [${name || address}](<${address.replace(/[<>\n]/g, encodeURIComponent)}>)`];
    });
    const tags = listOf(facts, 'tags').flatMap(
      (tag) => [textIn(tag, 'name'), textIn(tag, 'value')].filter(Boolean).join(': ') || [],
    );
    await to.addPage(
      path,
      {
        title: textIn(facts, 'name'),
        tags: tags.length > 0 ? tags : undefined,
        order: typeof facts.priority === 'number' ? facts.priority : undefined,
      },
      [text, attached.join('\n')].filter((part) => part.trim() !== '').join('\n\n') || '{{Children}}',
      { shown: attached.length === 0 ? shown : undefined },
    );
  }
}

function listOf(facts: Facts, name: string): Facts[] {
  const list = facts[name];
  return Array.isArray(list) ? list.filter(isFacts) : [];
}
