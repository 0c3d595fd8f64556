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
        summary: 'Erase for good',
        description:
          'For administrators, for legal and safety reasons: takes changes or files of a page, or all that identifies a member, out of everything that the wiki keeps. The history says who changed what when, and that it was erased. Where the latest change is erased, the latest one that is left becomes what the page shows; where none would be left, it is refused. Files that erased changes alone had go with them. Takes as long as writing the database anew, in which other writes wait.',
        body: component('Erasure', 'Content to erase, and the reason.', {
          path: optionalText('Path of the page.', '/garden/roses'),
          id: Type.Optional(idField('ID of the page, instead of its path.', 12)),
          changes: Type.Optional(
            Type.Array(idField('Change ID.', 41), {
              description: 'Changes to be erased, as its history lists them.',
            }),
          ),
          files: Type.Optional(
            Type.Array(text('`name` of a file.', '12-9f86d081884c7d65-40-0-rose.jpg'), {
              description: 'Files to be erased, current or replaced ones.',
            }),
          ),
          member: Type.Optional(
            idField(
              'Member whose name, address and all that they sign in by are erased, instead of a page; what they wrote stays, as by a former member.',
              3,
            ),
          ),
          reason: text('Why: for the audit log, which administrators read.', 'Court order 12/26'),
        }),
        response: {
          200: component('Erased', 'Erased content, and places that may still hold it.', {
            erased: object('Erased content.', {
              changes: Type.Array(idField('Change ID.', 41), { description: 'Erased changes.' }),
              files: Type.Array(text('Its name.', '12-9f86d081884c7d65-40-0-rose.jpg'), {
                description: 'Erased files, those among them that erased changes alone had.',
              }),
              member: orNull(Type.Integer(), 'ID of the member who was erased; null: none.', null),
            }),
            page: orNull(
              object('', {
                id: idField('ID of the page.', 12),
                path: text('Its path.', '/garden/roses'),
              }),
              'The page as it is now. An address that was made from an erased title is erased with it, and the page moves to one made from the title that is left. Null for a member.',
              { id: 12, path: '/garden/roses' },
            ),
            backups: objects('Backups made since it was first there, which still hold it: remove them.', {
              at: text('When it was finished.', exampleTime),
              place: text('Place that the backup was written to.', '/backups/wiki.tar.gz'),
            }),
            left: Type.Array(text('A sentence.', 'The write-ahead log of PostgreSQL holds it.'), {
              description:
                'Other places that may hold some of it, such as texts of other pages that mention an erased title, or a member by name.',
            }),
            pending: Type.Boolean({
              description:
                'Whether the database still holds some of it, because something has been reading since before the erasure: `left` says what. The wiki finishes the erasure by itself, also after a restart, and then writes the entry `erasure-finished` to the audit log.',
              examples: [false],
            }),
          }),
        },
        problems: ['administrators-only', 'not-found', 'gone'],
      },
    },
    async ({ actor, body: { path, id, ...wanted } }) => {
      if (path !== undefined && id !== undefined)
        throw invalid('/id', 'Name the page by its path or by its ID, not by both.');
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
