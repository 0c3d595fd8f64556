/** Permanent erasure of content or of a member's identity, for administrators. */
import { Type } from 'typebox';
import { listPageFiles } from '#core/files/list-page-files.ts';
import { isoTime } from '#core/model/iso-time.ts';
import { invalid } from '#core/model/problem.ts';
import {
  component,
  exampleTime,
  idField,
  object,
  objects,
  optionalText,
  orNull,
  text,
} from '#core/operations/fields.ts';
import { type AnswerTo, answer, converted, operation } from '#core/operations/operation.ts';
import { rangeFields, rangeOf } from '#core/operations/paging.ts';
import { listHistory } from '#core/pages/list-history.ts';
import { say } from '#words/say.ts';
import { type Erased, erase } from './erasure.ts';

const fileName = text('`name` of a file.', '12-9f86d081884c7d65-40-0-rose.jpg');

const ErasedObject = component('Erased', 'Erased content, and places that may still hold it.', {
  erased: object('Erased content.', {
    changes: Type.Array(idField('Change ID.', 41), { description: 'Erased changes.' }),
    files: Type.Array(text('Its name.', '12-9f86d081884c7d65-40-0-rose.jpg'), {
      description: 'Erased files, including those that only erased changes had.',
    }),
    member: orNull(Type.Integer(), 'ID of the member who was erased. Null if none was.', null),
  }),
  page: orNull(
    object('', {
      id: idField('ID of the page.', 12),
      path: text('Its path.', '/garden/roses'),
    }),
    'The page after the erasure. If its address was made from an erased title, the address is erased, too, and the page moves to an address made from the remaining title. Null for a member.',
    { id: 12, path: '/garden/roses' },
  ),
  backups: objects(
    'Backups made since the erased content first existed, which still contain it. Delete them.',
    {
      at: text('When the backup was finished.', exampleTime),
      place: text('Place that the backup was written to.', '/backups/wiki.tar.gz'),
    },
  ),
  left: Type.Array(text('A sentence.', 'The write-ahead log of PostgreSQL still contains it.'), {
    description:
      'Other places that may still contain erased content, such as texts of other pages that mention an erased title or a member by name.',
  }),
  pending: Type.Boolean({
    description:
      'Whether the database still contains erased content, because a read has been running since before the erasure; `left` gives details. The wiki finishes the erasure by itself, also after a restart, and then adds the entry `erasure-finished` to the audit log.',
    examples: [false],
  }),
});

export const erasedJson = ({ backups, ...done }: Erased) => ({
  ...done,
  backups: backups.map(({ at, place }) => ({ at: isoTime(at), place })),
});

export const erasableContent = operation({
  name: 'listErasableContent',
  summary: 'List content to erase',
  description: 'Changes of a page, newest first, and all files that it has or had.',
  access: 'administrator',
  scope: 'admin',
  input: Type.Object({ path: text('Path of the page.', '/garden/roses'), ...rangeFields(100) }),
  output: answer<AnswerTo<typeof listHistory> & { files: AnswerTo<typeof listPageFiles> }>(),
  problems: ['not-found', 'gone'],
  ports: ['reader'],
  async run({ reader }, { input: { path, ...range } }) {
    const listed = await listHistory(reader, path, rangeOf(range, 100));
    return { ...listed, files: await listPageFiles(reader, listed.page.id) };
  },
});

export const erasure = operation({
  name: 'erase',
  summary: 'Erase permanently',
  action: 'erase content',
  description:
    'For administrators, for legal and safety reasons. Removes changes or files of a page, or all that identifies a member, from everything that the wiki stores. The history still says who changed what and when, and that it was erased. If the latest change is erased, the page shows the latest remaining change; if none would remain, the request is refused. Files that only erased changes had are erased, too. The database is written again for this, and other writes wait for so long.',
  access: 'administrator',
  scope: 'admin',
  input: component('Erasure', 'Content to erase, and the reason.', {
    path: optionalText('Path of the page.', '/garden/roses'),
    id: Type.Optional(idField('ID of the page, instead of its path.', 12)),
    changes: Type.Optional(
      Type.Array(idField('Change ID.', 41), {
        description: 'Changes to be erased, by their IDs in the history.',
      }),
    ),
    files: Type.Optional(
      Type.Array(fileName, { description: 'Files to be erased, including replaced ones.' }),
    ),
    member: Type.Optional(
      idField(
        'Member to erase, instead of a page: name, address and all credentials. The member’s contributions stay, shown as those of a former member.',
        3,
      ),
    ),
    reason: text('Reason, for the audit log, which administrators can read.', 'Court order 12/26'),
  }),
  output: converted(ErasedObject, erasedJson),
  problems: ['not-found', 'gone'],
  writes: 'itself',
  audit: ['content-erased', 'member-erased'],
  ports: ['store', 'erasing'],
  async run({ store, erasing }, { input: { path, id, ...wanted }, by, now }) {
    if (path !== undefined && id !== undefined) throw invalid('/id', say('problem.givePathOrId'));
    const actor = by === 'command line' ? null : by;
    return erase({ ...erasing, store }, actor, { ...wanted, page: path ?? id }, now);
  },
});
