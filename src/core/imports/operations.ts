/** Imports of other wikis as uploads: started, continued after the response, and polled. For administrators. */
import { Type } from 'typebox';
import type { Actor } from '../model/permission.ts';
import { notSignedIn } from '../model/problem.ts';
import { idField } from '../operations/fields.ts';
import { type AnswerTo, answer, nothing, operation } from '../operations/operation.ts';
import type { ImportJobs, ReceiveUpload } from '../ports/import-store.ts';

const id = idField('ID of the import.', 7);

const importing = {
  access: 'administrator',
  scope: 'admin',
  action: 'import other wikis',
  ports: ['imports'],
} as const;

export const importList = operation({
  ...importing,
  name: 'listImports',
  summary: 'List imports',
  description: 'The latest imports, without their certificates.',
  input: Type.Object({}),
  output: answer<AnswerTo<ImportJobs['list']>>(),
  run: ({ imports }) => imports.list(),
});

export const importReading = operation({
  ...importing,
  name: 'getImport',
  summary: 'Get the progress of an import',
  description:
    'With `Accept: text/event-stream`, a message with the same object is sent each second until the import has ended. For administrators.',
  input: Type.Object({ id }),
  output: answer<AnswerTo<ImportJobs['get']>>(),
  problems: ['not-found'],
  run: ({ imports }, { input }) => imports.get(input.id),
});

export const importUploadReading = operation({
  ...importing,
  name: 'readImportUpload',
  summary: 'Read the options of an import',
  description: 'Options with which an upload was sent, while it is stored.',
  input: Type.Object({ id }),
  output: answer<AnswerTo<ImportJobs['uploadOf']>>(),
  run: ({ imports }, { input }) => imports.uploadOf(input.id),
});

export const importBeginning = operation({
  ...importing,
  name: 'beginImport',
  summary: 'Import another wiki',
  description:
    'The file is the body, of any type, or the file of a multipart form. It can be a dump of a MediaWiki (.xml, also .bz2, .gz, .zst), a single document (.md, .html, .docx, .odt, .csv, .enex, .opml, TiddlyWiki), or a .zip or .tar.gz of anything else, such as a folder of Markdown. Single documents are recognised by their name, so send them in a form. `recognisedBy` in the certificate says how the kind was recognised. The response is sent when the file has arrived; use the ID to ask for the progress. Only one import runs at a time. Sending the same file again adds what is new; `gone` in the certificate lists pages that the source no longer has. If it is unclear whether the file comes from the source of an earlier import, nothing is written, and the error names the choice: give that source’s name, or another one. For administrators.',
  input: Type.Object({ receive: Type.Unsafe<ReceiveUpload>({}) }),
  output: answer<number>(),
  writes: 'itself',
  audit: [],
  run: async ({ imports }, { input: { receive }, by }) => imports.begin(memberOf(by), receive),
});

export const importRepetition = operation({
  ...importing,
  name: 'importUpload',
  summary: 'Import an earlier upload',
  description:
    'Imports the upload of an earlier import as a new import, with the same options except those given here: after a dry run, or to continue an import that was cancelled or whose server was stopped. Uploads are kept for three days. For administrators.',
  input: Type.Object({ id, changes: Type.Unsafe<object>({}) }),
  output: answer<number>(),
  problems: ['not-found'],
  writes: 'itself',
  audit: [],
  run: async ({ imports }, { input: { id, changes }, by }) => imports.again(memberOf(by), id, changes),
});

export const importCancellation = operation({
  ...importing,
  name: 'cancelImport',
  summary: 'Cancel an import',
  description:
    'The import ends after the page that it is writing. Written pages stay; importing the same file again continues after them. Deletes the uploaded file of a finished import. For administrators.',
  input: Type.Object({ id }),
  output: nothing('The import is cancelled, or had already ended.'),
  problems: ['not-found'],
  writes: 'itself',
  audit: [],
  run: ({ imports }, { input }) => imports.cancel(input.id),
});

/** Commands import by themselves. */
function memberOf(by: NonNullable<Actor> | 'command line'): NonNullable<Actor> {
  if (by === 'command line') throw notSignedIn();
  return by;
}
