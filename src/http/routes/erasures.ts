/** Permanent erasure of content or of a member's identity, for administrators. */
import { Type } from 'typebox';
import { erase } from '#core/erasure/erase.ts';
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
import type { Server, Service } from '../service.ts';

export async function erasureRoutes(server: Server, service: Service): Promise<void> {
  server.post(
    '/v1/erase',
    {
      config: {
        access: 'required',
        scope: 'admin',
        subtree: 'refused',
        audit: ['content-erased', 'member-erased'],
      },
      schema: {
        operationId: 'erase',
        tags: ['History'],
        summary: 'Erase permanently',
        description:
          'For administrators, for legal and safety reasons. Removes changes or files of a page, or all that identifies a member, from everything that the wiki stores. The history still says who changed what and when, and that it was erased. If the latest change is erased, the page shows the latest remaining change; if none would remain, the request is refused. Files that only erased changes had are erased, too. The database is written again for this, and other writes wait for so long.',
        body: component('Erasure', 'Content to erase, and the reason.', {
          path: optionalText('Path of the page.', '/garden/roses'),
          id: Type.Optional(idField('ID of the page, instead of its path.', 12)),
          changes: Type.Optional(
            Type.Array(idField('Change ID.', 41), {
              description: 'Changes to be erased, by their IDs in the history.',
            }),
          ),
          files: Type.Optional(
            Type.Array(text('`name` of a file.', '12-9f86d081884c7d65-40-0-rose.jpg'), {
              description: 'Files to be erased, including replaced ones.',
            }),
          ),
          member: Type.Optional(
            idField(
              'Member to erase, instead of a page: name, address and all credentials. The member’s contributions stay, shown as those of a former member.',
              3,
            ),
          ),
          reason: text('Reason, for the audit log, which administrators can read.', 'Court order 12/26'),
        }),
        response: {
          200: component('Erased', 'Erased content, and places that may still hold it.', {
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
                'Other places that may still contain some of it, such as texts of other pages that mention an erased title or a member by name.',
            }),
            pending: Type.Boolean({
              description:
                'Whether the database still contains some of it, because a read has been running since before the erasure; `left` gives details. The wiki finishes the erasure by itself, also after a restart, and then adds the entry `erasure-finished` to the audit log.',
              examples: [false],
            }),
          }),
        },
        problems: ['administrators-only', 'not-found', 'gone'],
      },
    },
    async ({ actor, body: { path, id, ...wanted } }) => {
      if (path !== undefined && id !== undefined)
        throw invalid('/id', 'Give the path of the page or its ID, but not both.');
      const erasing = erasingOf(service);
      const { backups, ...done } = await erase(
        erasing,
        actor,
        { ...wanted, page: path ?? id },
        service.clock(),
      );
      return {
        ...done,
        backups: backups.map(({ at, place }) => ({ at: new Date(at).toISOString(), place })),
      };
    },
  );
}

export function erasingOf({ store, files, spillFile, disk }: Service) {
  return { store, files: files.store, emptyCaches: () => spillFile?.empty(), backups: disk.backups };
}
