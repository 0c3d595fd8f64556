/** Documents of Word (.docx), which mammoth turns into HTML. */
import mammoth from 'mammoth';
import { bytesOf, type FileTree } from '../documents/file-tree.ts';
import { hasManyTags, manyElements } from '../documents/html.ts';
import { addDocument, reading } from './office-html.ts';
import type { Unpacking } from './unpacked-tree.ts';
import { withMarkedFormulas, withMathOfMarks } from './word-formulas.ts';
import { withSizesOfMarks, withWordsOfFields } from './word-parts.ts';

/** Uncompressed size of one part of a document. */
const maxPartBytes = 200_000_000;
const comments = 'word/comments.xml';
const styleMap = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Quote'] => blockquote:fresh",
  "p[style-name='Intense Quote'] => blockquote:fresh",
  "p[style-name='Code'] => pre:separator('\n')",
  "p[style-name='Source Code'] => pre:separator('\n')",
  "p[style-name='HTML Preformatted'] => pre:separator('\n')",
];
const passedOver = /^An unrecognised element was ignored: ([\w:-]{1,100})$/;

/** `name`: of the file, without its ending. */
export async function unpackDocx(tree: FileTree, name: string, to: Unpacking): Promise<void> {
  const path = to.free('', name, '.md');
  let count = 0;
  const convertImage = mammoth.images.imgElement(async (image) => {
    const kind = /^image\/([a-z0-9]{1,10})/.exec(image.contentType)?.[1] ?? 'png';
    const picture = to.free('', `${name}-${++count}`, `.${kind === 'jpeg' ? 'jpg' : kind}`);
    await to.add(picture, await image.readAsBuffer());
    return { src: encodeURI(picture) };
  });
  const missed = new Set<string>();
  const { value, messages } = await reading(() =>
    // The types only know whole archives; `file` takes an opened one, whose sizes are limited.
    mammoth.convertToHtml({ file: partsOf(tree, missed) } as unknown as { buffer: Buffer }, {
      convertImage,
      styleMap,
    }),
  );
  for (const { message } of messages) {
    const name = passedOver.exec(message)?.[1];
    if (name !== undefined) missed.add(name);
  }
  if (tree.paths.includes(comments)) missed.add('w:comment');
  await addDocument(withSizesOfMarks(withMathOfMarks(value)), { path, name, missed }, to);
}

/** The parts of a document, as mammoth reads those of an archive. */
function partsOf(tree: FileTree, missed: Set<string>) {
  return {
    exists: (path: string) => tree.paths.includes(path),
    async read(path: string, encoding?: string): Promise<string | Uint8Array> {
      const bytes = await bytesOf(tree, path, maxPartBytes);
      if (encoding === undefined) return bytes;
      if (encoding === 'base64') return bytes.toString('base64');
      const text = bytes.toString('utf8');
      if (hasManyTags(text)) throw new Error(manyElements);
      return /^word\/(?:document|footnotes|endnotes)\.xml$/.test(path)
        ? withWordsOfFields(withMarkedFormulas(text), missed)
        : text;
    },
  };
}
