/** Searching the text of attached files. */
import { Type } from 'typebox';
import { component, flag, idField, integer, object, objects, text } from '#core/operations/fields.ts';
import { converted, operation } from '#core/operations/operation.ts';
import { fileUrl } from '#core/ports/file-store.ts';
import { type FoundInFile, searchFiles } from '#core/search/search-files.ts';

const FileHit = component('FileHit', 'A file whose text matches.', {
  file: object('The file.', {
    name: text('Name by which the file is served.', '12-9f86d081884c7d65-40-0-care.pdf'),
    filename: text('Name that the uploader gave.', 'care.pdf'),
    mime: text('Media type.', 'application/pdf'),
    url: text('Path of the bytes.', '/files/12-9f86d081884c7d65-40-0-care.pdf'),
  }),
  page: object('The page that has the file.', {
    id: idField('Page ID.', 12),
    path: text('Path.', '/garden/roses'),
    title: text('Title.', 'Roses'),
  }),
  number: integer('Page of the document, slide or sheet with the words, counted from 1.', 3),
  excerpt: objects('Text around the first match.', {
    text: text('A piece of the text.', 'in early '),
    isMatch: flag('Whether the piece matches.', false),
  }),
});

export const searchFileTexts = operation({
  name: 'searchFileTexts',
  summary: 'Search the text of files',
  description:
    'Attached files of pages that the caller can read, latest first, whose text has all of the words on one page, slide or sheet: PDF, Word, PowerPoint, Excel, OpenDocument and plain text. Files are read after their upload, in the background, up to 500 pages and 2 million characters.',
  access: 'anyone',
  scope: 'read',
  subtree: 'within',
  input: Type.Object({
    text: Type.String({
      maxLength: 1000,
      description: 'Words, as in a search for pages.',
      examples: ['pruning'],
    }),
    limit: Type.Optional(integer('Most files.', 10, { minimum: 1, maximum: 50 })),
  }),
  output: converted(
    Type.Array(FileHit, { description: 'Files, at most `limit`; 10 by default.' }),
    (hits: FoundInFile[]) =>
      hits.map(({ file: { name, filename, mime }, page: { id, path, title }, number, excerpt }) => ({
        file: { name, filename, mime, url: fileUrl(name) },
        page: { id, path, title },
        number,
        excerpt,
      })),
  ),
  problems: [],
  ports: ['reader'],
  run: ({ reader }, { input: { text, limit = 10 } }) => searchFiles(reader, text, limit),
});
