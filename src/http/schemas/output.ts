/**
 * JSON schemas of responses, from which types, validation and the reference are derived. Input is in `input.ts`, refusals are
 * in `schemas/problem.ts`. A schema with a `title` becomes a named component of the OpenAPI document.
 */
import { type Static, type TProperties, Type } from 'typebox';
import {
  component,
  count,
  exampleTime,
  flag,
  idField,
  integer,
  object,
  objects,
  oneOf,
  optionalText,
  text,
  textOrNull,
  time,
} from '#core/operations/fields.ts';
import { MemberName } from '#core/operations/schemas.ts';
import {
  Data,
  Defaults,
  groupField,
  Location,
  pathExample,
  permissionCode,
  shownFields,
  statedFields,
} from './page-fields.ts';

export const PageName = component('PageName', 'A page in a list that needs only its name.', {
  id: idField('Page ID.', 12),
  title: text('Page title.', 'Roses'),
  path: text('Page path.', pathExample),
});

const locationOrFalse = Type.Union([Location, Type.Literal(false)], {
  description: 'Where the page is, or `false` for none.',
  examples: [{ lat: 52.5163, lon: 13.3777 }],
});

const Access = component('Access', 'Rights of the caller on the page, and its permission code.', {
  read: flag('Always true, because pages that may not be read are never returned.', true),
  write: flag('Whether the caller may edit the page.', true),
  code: permissionCode,
});

export const PageFile = component('File', 'A file attached to a page.', {
  name: text(
    'Unique key of the file, which is served at `/files/{name}`. A file that replaces it has another key.',
    '12-9f86d081884c7d65-40-0-rose.jpg',
  ),
  thumbnail: optionalText(
    'Unique key of the thumbnail; images only.',
    'thumb-12-9f86d081884c7d65-40-0-rose.jpg.webp',
  ),
  filename: text(
    'Name that the uploader gave the file; `[[File:rose.jpg]]` in the body shows it.',
    'rose.jpg',
  ),
  mime: text(
    'MIME type, detected from the bytes. `Content-Type` of the file itself also contains the charset of a text.',
    'image/jpeg',
  ),
  size: count('Size in bytes.', 104864),
  readableSize: text('Size as text for people.', '104.9 kB'),
  page: idField('ID of the page that the file belongs to.', 12),
  timestamp: integer('Upload time, Unix seconds.', 1773480413),
  uploader: idField('ID of the member who uploaded the file.', 3),
  urls: object('Address of the bytes.', {
    full: text('URL of the file.', '/files/12-9f86d081884c7d65-40-0-rose.jpg'),
    thumbnail: optionalText(
      'URL of the thumbnail; images only.',
      '/files/thumb-12-9f86d081884c7d65-40-0-rose.jpg.webp',
    ),
  }),
});

const ChangeContent = component('ChangeContent', 'The whole explicit state of the page after the change.', {
  ...statedFields,
  group: groupField,
  defaults: Type.Optional(Defaults),
  files: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Names of the files that the page has after the change, including files that have been replaced since. Each is served at `/files/{name}`. Absent if there are none.',
      examples: [['12-9f86d081884c7d65-40-0-rose.jpg']],
    }),
  ),
});

export const Change = component('Change', 'One change in the history of a page.', {
  id: idField('Change ID.', 41),
  timestamp: time('When'),
  msg: text('Commit message; may be empty.', 'More about pruning'),
  content: ChangeContent,
  editor: MemberName,
  erased: Type.Optional(
    Type.String({
      description: 'When the content of the change was erased, ISO 8601 in UTC. Absent if it was not erased.',
      format: 'date-time',
      examples: [exampleTime],
    }),
  ),
});

const nameFields = {
  id: idField('Page ID.', 12),
  title: text('Page title.', 'Roses'),
};

const describedFields = {
  description: text('Description as given, or derived from the body.', 'Every rose in the garden.'),
  slug: text('Last part of the generated path.', 'roses'),
  parent: count('ID of the parent page; 0 for a root page.', 2),
  type: textOrNull('Page type, or null.', 'Collection'),
  location: locationOrFalse,
  owner: MemberName,
  group: groupField,
};

const LineageEntry = component(
  'LineageEntry',
  'An ancestor. If the caller may not read it, it has only `id`, `title`, `path`, `depth` and `permissions`.',
  {
    ...nameFields,
    path: text('Page path.', '/garden'),
    depth: count('Distance from a root page.', 0),
    permissions: permissionCode,
    ...partial(describedFields),
  },
);

/** Fields that `include` adds. */
const includedFields = {
  children: Type.Optional(
    objects('The first 100 pages beneath it by title, if `include=children` requests them.', {
      ...nameFields,
      path: text('Page path.', pathExample),
      type: describedFields.type,
      hasChildren: flag('Whether the page has child pages that the caller may see.', false),
    }),
  ),
  backlinks: Type.Optional(
    Type.Array(PageName, {
      description: '100 pages that link to it, lowest IDs first, if `include=backlinks` requests them.',
    }),
  ),
};

const Snippet = component('Snippet', 'The part of a page that a search by `text` found.', {
  text: text('About 240 characters around the first of the words.', 'Roses need pruning in spring.'),
  html: text(
    'The same as HTML with the words in `<mark>`, which is safe to embed in a page.',
    'Roses need <mark>pruning</mark> in spring.',
  ),
  title: text('The title in the same HTML form.', '<mark>Roses</mark>'),
  section: Type.Optional(
    object(
      'Innermost section that contains the first of the words. Absent if the words are before the first heading.',
      {
        id: text(
          'Anchor of the heading of the section: append `#` and this text to the page’s address.',
          'In_spring',
        ),
        title: text('Heading of the section, as plain text.', 'In spring'),
      },
    ),
  ),
});

const PageGrant = component('PageGrant', 'A right of a group or a member that adds to the permissions.', {
  group: optionalText('Name of the group.', 'Board'),
  member: Type.Optional(integer('ID of the member.', 7)),
  may: oneOf(['read', 'write'], 'Right that the grant gives. Writing includes reading.', 'read'),
  beneath: flag('Whether the grant also applies to all descendants of the page.', true),
});

export const pageFields = {
  ...nameFields,
  description: describedFields.description,
  slug: describedFields.slug,
  path: text('Unique path of the page.', pathExample),
  parent: describedFields.parent,
  data: Data,
  depth: count('Distance from a root page: 0 for a root page.', 1),
  type: describedFields.type,
  language: text('Language of the text, a BCP 47 tag: the language of the page, or else of the wiki.', 'en'),
  translationOf: textOrNull(
    'Path of the page of which it is a translation. Null if it is none, or if the caller cannot read that page.',
    '/garden',
  ),
  tags: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: 'Values of each tag, in the order of the body.',
    examples: [{ season: ['summer', 'autumn'] }],
  }),
  location: locationOrFalse,
  likes: Type.Array(Type.Integer(), {
    description: 'IDs of the members who like the page.',
    examples: [[3, 8]],
  }),
  files: Type.Array(PageFile, { description: 'Attached files.' }),
  owner: MemberName,
  group: groupField,
  defaults: Type.Optional(Defaults),
  grants: Type.Optional(
    Type.Array(PageGrant, {
      description:
        'Groups and members with whom the page is shared beside its permissions. Only for those who may change them, when one page is read or saved, and only if there are any.',
    }),
  ),
  history: Type.Array(Change, {
    description:
      'Changes, oldest first; only the latest or none with `history=latest` or `history=none`. If the page’s history begins with a later change for its readers (see `history` of an edit), the list starts there.',
  }),
  lineage: Type.Array(LineageEntry, { description: 'Ancestors, root first, direct parent last.' }),
  ...shownFields,
  ...includedFields,
  snippet: Type.Optional(Snippet),
};

export const Page = component('Page', 'A page with everything that the wiki shows of it.', {
  ...pageFields,
  permissions: permissionCode,
});

const AccessPage = component('AccessPage', 'A page whose `permissions` say what the caller may do with it.', {
  ...pageFields,
  permissions: Access,
});

export const NearPage = component('NearPage', 'A place, with its distance from the starting point.', {
  ...pageFields,
  permissions: Access,
  distance: Type.Number({ description: 'Metres from the starting point.', minimum: 0, examples: [812.4] }),
});

export const Markup = text(
  'HTML rendered from the body, which is safe to embed in a page. If a page was just saved and cannot be rendered at that moment, this is the source in `<pre>` after a notice; read the page again for its HTML.',
  '<p>Roses need <a class="new" href="/new?title=Pruning">Pruning</a>.</p>',
);

/** Separate from the markup, because it is shown above it. */
const displayTitle = optionalText(
  'HTML of the title as set by `{{DISPLAYTITLE:…}}`, which is safe to embed in a heading. Its text differs from the title only in case. Absent if the title is shown unchanged.',
  '<i>Rosa canina</i>',
);

export const historyField = Type.Optional(
  Type.Union([Type.Literal('all'), Type.Literal('latest'), Type.Literal('none')], {
    description:
      'How much of the history to include. A history of more than 16 MB is never included whole; only its latest change is, and `/v1/history/{path}` lists all changes. The same applies to all pages of a list whose histories have more than 64 MB together.',
    default: 'all',
    examples: ['latest'],
  }),
);

export const pathParameter = (description = 'Page path without its leading slash; may contain slashes.') =>
  Type.Object({ path: text(description, 'garden/roses') });

/** Response of any read of a page at an alias. */
export const movedAnswer = { 308: 'The page has moved. `Location` contains its new URL.' };

export const EditedPage = component('EditedPage', 'The page after the edit, and its body as HTML.', {
  page: AccessPage,
  markup: Markup,
  displayTitle,
});

export const ReadPage = component('ReadPage', 'A page, and its body as HTML.', {
  page: Page,
  markup: Markup,
  displayTitle,
});

export type PageJson = Static<typeof Page>;
export type AccessPageJson = Static<typeof AccessPage>;
export type NearPageJson = Static<typeof NearPage>;
export type ChangeJson = Static<typeof Change>;
export type FileJson = Static<typeof PageFile>;
export type LineageJson = Static<typeof LineageEntry>;

export function partial<P extends TProperties>(fields: P) {
  return Type.Partial(Type.Object(fields)).properties;
}
