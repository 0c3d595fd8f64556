/** The file library: all files that the caller may read, with the pages that use them. */

import { Type } from 'typebox';
import { fileList } from '#core/files/operations.ts';
import { component, flag, integer, literals, optionalText } from '#core/operations/fields.ts';
import { countOf, limitField } from '#core/operations/paging.ts';
import { fileOrders, type LibraryFile, maxUses } from '#core/ports/file-rows.ts';
import { setNext } from '../lists.ts';
import { carryFor, descriptionOf, limitsOf } from '../operation-routes.ts';
import { fileJson } from '../page-json.ts';
import { PageFile, PageName } from '../schemas/output.ts';
import { pathExample } from '../schemas/page-fields.ts';
import type { Server, Service } from '../service.ts';

const defaultLimit = 50;

const FileInLibrary = component(
  'FileInLibrary',
  'A file, the page that it belongs to, and the pages that use it.',
  {
    ...PageFile.properties,
    width: Type.Optional(integer('Width in pixels; images only.', 1200)),
    height: Type.Optional(integer('Height in pixels; images only.', 800)),
    attachedTo: PageName,
    versions: integer(
      'Number of files with this name that the page has had, including this one, as far as its history shows.',
      2,
    ),
    usedOn: Type.Array(PageName, {
      description: `Pages that currently embed the file or link to it and that the caller may read, at most ${maxUses}, by ID.`,
    }),
    hasMoreUses: flag('Whether pages that are not in the list use the file, too.', false),
  },
);

export async function fileLibraryRoutes(server: Server, service: Service, baseUrl: string): Promise<void> {
  server.get(
    '/v1/files',
    {
      config: { ...limitsOf(fileList), strangersMs: 20 },
      schema: {
        ...descriptionOf(fileList),
        tags: ['Files'],
        querystring: Type.Object({
          q: optionalText('Part of the name, without regard to case and accents.', 'rose'),
          mime: optionalText(
            'Kind of files, such as `image` or `image/*`, or a type, such as `image/png`.',
            'image/*',
          ),
          page: optionalText('Only files of the page at this path.', pathExample),
          ancestor: optionalText('Only files of pages beneath the page at this path.', '/garden'),
          unused: Type.Optional(
            flag('Only files that are embedded or linked by no page that the caller may read.', true),
          ),
          sort: Type.Optional(
            literals(Object.keys(fileOrders) as (keyof typeof fileOrders)[], {
              description: '`name` from A, `size` from the largest, `date` from the latest upload.',
              default: 'name',
              examples: ['size'],
            }),
          ),
          limit: limitField(defaultLimit, 25),
          cursor: optionalText(
            'Position of the next files, from `Link: rel="next"` of the previous response. Empty for the beginning.',
            '',
          ),
        }),
        response: { 200: Type.Array(FileInLibrary, { description: 'The files.' }) },
        headersOut: {
          Link: {
            description: 'URL of the next files. Absent on the last page.',
            example: '</v1/files?limit=50&cursor=WyJuYW1lIiwicm9zZS5qcGciLCIxMi0iXQ>; rel="next"',
          },
        },
      },
    },
    async (request, reply) => {
      const limit = countOf(request.query.limit, defaultLimit);
      const { files, next } = await carryFor(service, request)(fileList, {
        query: { ...request.query, limit },
      });
      setNext(request, reply, limit, next);
      return files.map((file) => libraryJson(file, baseUrl));
    },
  );
}

function libraryJson({ file, page, versions, usedOn, hasMoreUses }: LibraryFile, baseUrl: string) {
  const { width, height } = file;
  return {
    ...fileJson(file, baseUrl),
    ...(width === null || height === null ? {} : { width, height }),
    attachedTo: { id: page.id, title: page.title, path: page.path },
    versions,
    usedOn,
    hasMoreUses,
  };
}
