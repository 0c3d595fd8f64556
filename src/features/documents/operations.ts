/**
 * Bodies as documents of a visual editor. The editor asks for the document of a body, lets somebody edit it, and asks for the body
 * with these edits, in which every other byte stays. Nothing is saved here.
 */
import { Type } from 'typebox';
import type { Format } from '#core/model/page.ts';
import { readPath } from '#core/model/path.ts';
import { invalid, Problem } from '#core/model/problem.ts';
import { component, oneOf, optionalText, text } from '#core/operations/fields.ts';
import { operation } from '#core/operations/operation.ts';

const document = text(
  'The document as JSON of ProseMirror. Each node from the body has its range there in the attribute `origin`.',
  '{"type":"doc","content":[{"type":"paragraph","attrs":{"origin":[0,5]},"content":[{"type":"text","text":"Roses"}]}]}',
);

const source = {
  body: text('Body of a page.', 'Roses'),
  format: Type.Optional(
    oneOf(['wikitext', 'markdown'], 'Language of the body; the default is wikitext.', 'wikitext'),
  ),
  path: optionalText('Path of the page, to which relative links are resolved.', '/garden/roses'),
};

function sourceOf({ body, format = 'wikitext', path }: { body: string; format?: Format; path?: string }) {
  const read = path === undefined ? { path: '/preview' } : readPath(path);
  if ('problem' in read) throw invalid('/path', read.problem);
  return { body, format, path: read.path };
}

export const readDocument = operation({
  name: 'document',
  summary: 'Read a body as a document',
  description:
    'Blocks, inline content and marks of a body, for a visual editor. Templates are not expanded. Markup without a node of its own is contained as its source.',
  access: 'anyone',
  scope: 'read',
  subtree: 'within',
  input: component('DocumentRequest', 'A body to read.', source),
  output: component('Document', 'A body as a document.', { document }),
  problems: ['too-large'],
  ports: ['language', 'reader'],
  async run({ language, reader }, { input }) {
    return { document: await language.document(sourceOf(input), reader.dialect) };
  },
});

export const patchDocument = operation({
  name: 'patch',
  summary: 'Apply the edits of a document to its body',
  description:
    'Returns the body with the edits; every byte that was not edited stays the same. The result is read again and compared with the document. If they differ, `not-expressible` says where. Nothing is saved.',
  access: 'anyone',
  scope: 'read',
  subtree: 'within',
  input: component('PatchRequest', 'A body, and its edited document.', { ...source, document }),
  output: component('Patched', 'A body with edits.', { body: text('The new body.', 'Red roses') }),
  problems: ['not-expressible', 'too-large'],
  ports: ['language', 'reader'],
  async run({ language, reader }, { input }) {
    const patched = await language.patch(sourceOf(input), input.document, reader.dialect);
    if ('body' in patched) return { body: patched.body };
    const { problem, path, range } = patched;
    throw new Problem('not-expressible', problem, { details: { path, range } });
  },
});
