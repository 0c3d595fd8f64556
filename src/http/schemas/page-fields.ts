/**
 * Content fields of a page in the interface: as given by callers, and as stated by a change. Input, output, validation and the
 * reference are based on this table.
 */
import { Type } from 'typebox';
import {
  component,
  idField,
  integer,
  number,
  oneOf,
  optionalText,
  orNull,
  text,
  textOrNull,
} from '#core/operations/fields.ts';

export const pathExample = '/garden/roses';

export const Location = Type.Object(
  {
    lat: number('Degrees north.', 52.5163, { minimum: -90, maximum: 90 }),
    lon: number('Degrees east.', 13.3777, { minimum: -180, maximum: 180 }),
  },
  { title: 'Location', description: 'A point on Earth, WGS 84.', examples: [{ lat: 52.5163, lon: 13.3777 }] },
);

export const Data = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Structured data of the current version, as an editor gave it. `{}` if there is none.',
  examples: [{ height: 26 }],
});

export const Format = oneOf(['wikitext', 'markdown'], 'The language of the body.', 'wikitext');

export const permissionCode = integer(
  'Three octal digits for owner, group and world: 4 allows reading, 2 and 4 together allow writing.',
  774,
  { minimum: 0, maximum: 777 },
);

export const groupField = text(
  'The group to which the second digit of the permissions applies; `members` stands for all members. A change contains the name that the group had then.',
  'editors',
);

const groupGiven = textOrNull(
  'The group to which the second digit of the permissions applies: one of the caller’s groups or, for administrators, any group. `members`, empty or null stands for all members. Only the owner and administrators may change it.',
  'editors',
);

/** Access of new pages beneath a page. */
export const Defaults = component(
  'Defaults',
  'Defaults of new pages beneath the page. Without `permissions` and `group`, the pages above decide.',
  {
    permissions: Type.Optional(permissionCode),
    group: Type.Optional(groupField),
    template: optionalText('Path of the page template with which new pages begin.', '/templates/rose'),
  },
);

/** Access to a page except for its permissions. */
export const givenAccess = {
  group: Type.Optional(groupGiven),
  defaults: Type.Optional(
    orNull(
      Type.Object({
        permissions: Type.Optional(
          number(
            'Three octal digits. The default is 774, or what the pages above give if only `template` is given.',
            770,
          ),
        ),
        group: Type.Optional(groupGiven),
        template: Type.Optional(
          textOrNull(
            'Path of a page template, with which new pages without a body begin.',
            '/templates/rose',
          ),
        ),
      }),
      'Permissions, group and template of new pages anywhere beneath the page, unless a page in between defines others. They replace the earlier ones; null removes them. Only the owner and administrators may change them.',
      { permissions: 770, group: 'editors' },
    ),
  ),
};

const fields = {
  title: {
    given: optionalText('Title, 1–255 characters. Required when creating a page.', 'Roses'),
    stated: text('Title after the change.', 'Roses'),
  },
  slug: {
    given: optionalText('Last part of the path. Made from the title by default.', 'roses'),
    stated: text('Slug after the change.', 'roses'),
  },
  path: {
    given: optionalText('Path. Made from the parent’s path and the slug by default.', pathExample),
    stated: text('Path after the change.', pathExample),
  },
  parent: {
    given: Type.Optional(
      Type.Union([Type.String(), Type.Integer(), Type.Null()], {
        description: 'Path or ID of the parent page; empty, `/`, 0 or null for a root page.',
        examples: ['/garden'],
      }),
    ),
    stated: text('Path of the parent; empty for a root page.', '/garden'),
  },
  description: {
    given: Type.Optional(
      textOrNull(
        'Up to 280 characters. Without one it is derived from the body; null returns to that.',
        'Every rose in the garden.',
      ),
    ),
    stated: textOrNull('Explicit description. Null while it follows the body.', 'Every rose in the garden.'),
  },
  type: {
    given: Type.Optional(
      textOrNull(
        'Type, which takes precedence over `[[Type:X]]` in the body. Null returns to that.',
        'Collection',
      ),
    ),
    stated: textOrNull('Explicit type. Null while it follows the body.', 'Collection'),
  },
  permissions: {
    given: Type.Optional(
      number('Three octal digits for owner, group and world. The default for a new page is 774.', 774),
    ),
    stated: permissionCode,
  },
  location: {
    given: Type.Optional(
      Type.Union(
        [
          Type.Object({
            lat: number('Degrees north.', 52.5163),
            lon: number('Degrees east.', 13.3777),
          }),
          Type.Literal(false),
          Type.Null(),
        ],
        {
          description:
            'Location of the page. `false` for explicitly none, null to follow `[[Location:…]]` in the body.',
          examples: [{ lat: 52.5163, lon: 13.3777 }],
        },
      ),
    ),
    stated: Type.Union([Location, Type.Literal(false), Type.Null()], {
      description: 'Explicit location. `false` for explicitly none, null while it follows the body.',
      examples: [null],
    }),
  },
  format: {
    given: Type.Optional(Format),
    stated: Format,
  },
  body: {
    given: optionalText('Content of the page, at most 4 MB.', 'Roses need [[Pruning]]. [[Season:summer]]'),
    stated: text('The unparsed body.', 'Roses need [[Pruning]].'),
  },
  data: {
    given: Type.Optional(Data),
    stated: Data,
  },
  image: {
    given: Type.Optional(textOrNull('Address of a picture for the page.', 'rose.jpg')),
    stated: optionalText('Address of a picture for the page.', 'rose.jpg'),
  },
  language: {
    given: Type.Optional(
      textOrNull(
        'Language of the text, a BCP 47 tag. Null for the language of the wiki. A new page has the language of its parent by default.',
        'de',
      ),
    ),
    stated: optionalText('Language of the text, if it differs from the language of the wiki.', 'de'),
  },
  comments: {
    given: Type.Optional(
      oneOf(
        ['off', 'members', 'writers'],
        'Permission to comment on the page: `off` for nobody, `members` for members who may read it, `writers` for those who may edit it. A new page has `members`.',
        'writers',
      ),
    ),
    stated: Type.Optional(
      oneOf(
        ['off', 'writers'],
        'Permission to comment on the page: `off` for nobody, `writers` for those who may edit it. Absent if all members who may read it may comment.',
        'writers',
      ),
    ),
  },
  reviewBy: {
    given: Type.Optional(
      textOrNull('Day when the next review of the page is due, ISO 8601. Null for none.', '2026-05-01'),
    ),
    stated: optionalText('Day when the next review of the page is due, if there is one.', '2026-05-01'),
  },
  verifiedOn: {
    given: Type.Optional(textOrNull('Day on which somebody found the page right, ISO 8601.', '2025-11-27')),
    stated: optionalText('Day on which somebody last confirmed that the page is correct.', '2025-11-27'),
  },
  responsible: {
    given: Type.Optional(
      orNull(
        Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
        'ID of the member who is told when a review is due. Null for the owner.',
        7,
      ),
    ),
    stated: Type.Optional(idField('ID of the responsible member, if it is not the owner.', 7)),
  },
  msg: {
    given: optionalText('Commit message.', 'More about pruning'),
    stated: text('Commit message.', 'More about pruning'),
  },
};
type FieldName = keyof typeof fields;

export const givenFields = column('given');
/** Optional fields are omitted from responses if the content has null. */
export const statedFields = column('stated');

/** Fields shown as stated by the latest change. */
export const shownFields = {
  format: fields.format.stated,
  image: fields.image.stated,
  comments: fields.comments.stated,
  reviewBy: fields.reviewBy.stated,
  verifiedOn: fields.verifiedOn.stated,
  responsible: fields.responsible.stated,
};

function column<C extends 'given' | 'stated'>(name: C): { [F in FieldName]: (typeof fields)[F][C] } {
  const entries = Object.entries(fields).map(([field, schemas]) => [field, schemas[name]]);
  return Object.fromEntries(entries);
}
