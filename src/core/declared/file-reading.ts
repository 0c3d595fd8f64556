/** Reading the bytes of files. */
import { Type } from 'typebox';
import { type OpenFile, openFile, openLinkedFile } from '../files/open-file.ts';
import { text } from '../operations/fields.ts';
import { answer, operation } from '../operations/operation.ts';
import { reading } from './reading.ts';

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
  ports: ['reader', 'secretLinks'],
  run: async ({ reader, secretLinks }, { input: { name, link }, now }) =>
    link === undefined ? openFile(reader, name) : openLinkedFile(await secretLinks.open(link, now), name),
});
