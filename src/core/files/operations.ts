/** Listing files, and reading their bytes. */
import { Type } from 'typebox';
import { text } from '../operations/fields.ts';
import { type AnswerTo, answer, operation, reading } from '../operations/operation.ts';
import { type FileQuery, listFiles } from './list-files.ts';
import { type OpenFile, openFile, openLinkedFile, openNamedFile } from './open-file.ts';

export const fileList = operation({
  ...reading,
  name: 'files',
  summary: 'List files',
  description:
    'Current files of pages that the caller may read, with the pages where each is used. Replaced files and files of deleted pages are left out. A file counts as unused if pages name it only in template arguments.',
  input: Type.Object({ query: Type.Unsafe<FileQuery>({}) }),
  output: answer<AnswerTo<typeof listFiles>>(),
  problems: ['not-found'],
  ports: ['reader'],
  run: ({ reader }, { input: { query } }) => listFiles(reader, query),
});

export const fileReading = operation({
  ...reading,
  name: 'readFile',
  summary: 'Read a file',
  description:
    'The bytes of an attached file or thumbnail, for readers of its page. A replaced file is still served, because a change of the page names it. Supports `Range`. Files that could contain scripts are sent as attachments.',
  input: Type.Object({
    name: text('`name` or `thumbnail` of a file.', '12-9f86d081884c7d65-40-0-rose.jpg'),
    /** Secret of a link that shows the page of the file. */
    link: Type.Optional(Type.String()),
  }),
  output: answer<OpenFile>(),
  problems: ['not-found', 'range-not-satisfiable', 'unavailable'],
  ports: ['reader', 'secretLinks', 'store'],
  async run({ reader, secretLinks, store }, { input: { name, link }, now }) {
    if (link !== undefined) return openLinkedFile(await secretLinks.open(link, now), name);
    try {
      return await openFile(reader, name);
    } catch (error) {
      const opened = await openNamedFile(store, name);
      if (!opened) throw error;
      return opened;
    }
  },
});
