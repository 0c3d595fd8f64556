/** A change in a proposal, as callers give it. */
import { Type } from 'typebox';
import type { StoredBytes } from '#core/model/file.ts';
import {
  component,
  integer,
  oneOf,
  option,
  optionalText,
  orNull,
  textOrNull,
} from '#core/operations/fields.ts';
import { maxFilesOfChange, proposalActions } from '#core/ports/proposal-store.ts';
import { maxSentBytes } from './prepare-files.ts';

export const action = oneOf(
  proposalActions,
  '`create` makes a page, `edit` changes fields, `move` gives another place, `delete` puts the page into the trash.',
  'edit',
);

const pathOrId = Type.Union([Type.String(), Type.Integer(), Type.Null()], {
  description:
    'Path or ID of the parent; null for a root page. A page that the same proposal makes earlier can be one.',
  examples: ['/garden'],
});

/** Fields of a page, as in requests that create or edit it. */
export const pageFields = {
  to: optionalText('New path of a page that is moved.', '/park/roses'),
  title: optionalText('Title.', 'Roses'),
  slug: optionalText('Last part of the path.', 'roses'),
  parent: Type.Optional(pathOrId),
  description: Type.Optional(textOrNull('Description.', 'Every rose in the garden.')),
  type: Type.Optional(textOrNull('Type.', 'Collection')),
  permissions: Type.Optional(Type.Number({ description: 'Three octal digits.', examples: [774] })),
  group: Type.Optional(textOrNull('Group of the page.', 'editors')),
  defaults: Type.Optional(
    orNull(
      Type.Object({
        permissions: Type.Optional(Type.Number({ description: 'Three octal digits.', examples: [770] })),
        group: Type.Optional(textOrNull('Group of new pages.', 'editors')),
      }),
      'Access of new pages beneath the page.',
      null,
    ),
  ),
  location: Type.Optional(
    Type.Union(
      [
        Type.Object({
          lat: Type.Number({ description: 'Degrees north.', examples: [52.5163] }),
          lon: Type.Number({ description: 'Degrees east.', examples: [13.3777] }),
        }),
        Type.Literal(false),
        Type.Null(),
      ],
      { description: 'Location of the page.', examples: [null] },
    ),
  ),
  format: Type.Optional(oneOf(['wikitext', 'markdown'], 'Language of the body.', 'wikitext')),
  body: optionalText('Content of the page.', 'Roses need [[Pruning]].'),
  data: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: 'Structured data.',
      examples: [{ height: 26 }],
    }),
  ),
  image: Type.Optional(textOrNull('Address of a picture for the page.', null)),
  language: Type.Optional(textOrNull('Language of the page (BCP 47).', 'de')),
  comments: Type.Optional(oneOf(['off', 'members', 'writers'], 'Members who can comment.', 'members')),
  msg: optionalText(
    'Message of the change. Without one, the title of the proposal is used.',
    'More about pruning',
  ),
  subtree: Type.Optional(option('For a deletion: deletes the pages beneath as well.')),
};

export const GivenChange = component(
  'ProposedChangeInput',
  'A change of one page, with the fields of its action.',
  {
    action,
    path: optionalText(
      'Path of the page. For a new page, the path that it will have; by default made from parent and slug.',
      '/garden/roses',
    ),
    base: Type.Optional(
      integer(
        'ID of the change of the page on which the proposed one is based. The default is its latest change.',
        41,
        { minimum: 1 },
      ),
    ),
    ...pageFields,
    files: Type.Optional(
      Type.Array(
        Type.Object(
          {
            file: Type.Object(
              {
                name: Type.String({ description: 'File name.', minLength: 1, examples: ['rose.jpg'] }),
                data: Type.Optional(
                  Type.Unsafe<string | StoredBytes>({
                    description: 'The bytes in base64.',
                    examples: ['UklGRg=='],
                  }),
                ),
              },
              { description: 'The file.' },
            ),
          },
          { description: 'A file.' },
        ),
        {
          description: `Files of a creation or an edit, at most ${maxFilesOfChange}, and ${maxSentBytes / 1e6} MB in one request. One without \`data\` stays from the changes that are replaced.`,
          maxItems: maxFilesOfChange,
          examples: [[{ file: { name: 'rose.jpg', data: 'UklGRg==' } }]],
        },
      ),
    ),
  },
);
