/** The wire shapes of what is sent to be saved: pages and their files. */
import { Type } from 'typebox';
import { Data, Format, orNull, pathExample } from './output.ts';

/** The Buffer form is Node's own JSON form of one. */
const FileUpload = Type.Object(
  {
    name: Type.String({ description: 'File name.', examples: ['rose.jpg'] }),
    data: Type.Union(
      [
        Type.String({ description: 'The bytes in base64.', examples: ['UklGRg=='] }),
        Type.Object(
          {
            type: Type.Literal('Buffer', { description: 'Always `Buffer`.', examples: ['Buffer'] }),
            data: Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), {
              description: 'The bytes as numbers.',
              examples: [[82, 73, 70, 70]],
            }),
          },
          { description: "Node's JSON form of a Buffer." },
        ),
      ],
      { description: 'The bytes: base64, or the JSON form of a Buffer.', examples: ['UklGRg=='] },
    ),
    size: Type.Optional(
      Type.Integer({ description: 'Size in bytes, to be checked.', minimum: 0, examples: [4] }),
    ),
    encoding: Type.Optional(
      Type.String({ description: 'Encoding of the file; not used.', examples: ['7bit'] }),
    ),
    mimetype: Type.Optional(
      Type.String({
        description: 'MIME type as the client has it; what counts is the bytes.',
        examples: ['image/webp'],
      }),
    ),
    md5: Type.Optional(
      Type.String({
        description: 'MD5 of the bytes in hex, to be checked.',
        examples: ['a8f5f167f44f4964e6c998dee827110c'],
      }),
    ),
  },
  { title: 'FileUpload', description: 'A file to attach.' },
);

const Files = Type.Object(
  { file: FileUpload, thumbnail: Type.Optional(FileUpload) },
  { title: 'Files', description: 'A file and, for an image, optionally a thumbnail of it.' },
);

const inputFields = {
  title: Type.Optional(
    Type.String({ description: 'Title, 1–255 characters. Needed when creating.', examples: ['Roses'] }),
  ),
  description: Type.Optional(
    orNull(
      Type.String(),
      'Up to 280 characters. Without one it is derived from the body; null goes back to that.',
      'Every rose in the garden.',
    ),
  ),
  slug: Type.Optional(
    Type.String({
      description: 'Last part of the path; made from the title if not given.',
      examples: ['roses'],
    }),
  ),
  parent: Type.Optional(
    Type.Union([Type.String(), Type.Integer(), Type.Null()], {
      description: 'Path or ID of the parent page; empty, `/`, 0 or null for a root page.',
      examples: ['/garden'],
    }),
  ),
  path: Type.Optional(
    Type.String({
      description: "Path; made of the parent's path and the slug if not given.",
      examples: [pathExample],
    }),
  ),
  body: Type.Optional(
    Type.String({
      description: 'Content of the page, at most 4 MB.',
      examples: ['Roses need [[Pruning]]. [[Season:summer]]'],
    }),
  ),
  type: Type.Optional(
    orNull(
      Type.String(),
      'Type; takes precedence over `[[Type:X]]` in the body. null goes back to that.',
      'Collection',
    ),
  ),
  permissions: Type.Optional(
    Type.Number({
      description: 'Three octal digits for owner, group and world. 774 for a new page that does not say.',
      examples: [774],
    }),
  ),
  data: Type.Optional(Data),
  image: Type.Optional(orNull(Type.String(), 'Address of a picture for the page.', 'rose.jpg')),
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
      {
        description:
          'Where the page is; `false` for explicitly nowhere, null to follow `[[Location:…]]` in the body.',
        examples: [{ lat: 52.5163, lon: 13.3777 }],
      },
    ),
  ),
  format: Type.Optional(Format),
  msg: Type.Optional(Type.String({ description: 'Commit message.', examples: ['More about pruning'] })),
  files: Type.Optional(Files),
};

export const NewPage = Type.Object(inputFields, {
  title: 'NewPage',
  description: 'A page to create. Unknown fields are ignored.',
});

export const PageEdit = Type.Object(
  {
    ...inputFields,
    base: Type.Optional(
      Type.Integer({
        description:
          'ID of the change that the edit started from: later changes are merged with it, and 412 where both changed the same. `If-Match`, where it is sent too, decides first.',
        minimum: 1,
        examples: [41],
      }),
    ),
    permissions: Type.Optional(
      Type.Number({
        description:
          'Three octal digits for owner, group and world. **Whoever may read the page may read its whole history and its replaced files, too**: opening a private page publishes all that it ever said, unless `history` is `from now`.',
        examples: [774],
      }),
    ),
    history: Type.Optional(
      Type.Union([Type.Literal('from now'), Type.Literal('all')], {
        description:
          'How much of its history the page shows. `from now`: this change and later ones alone, to everybody but its owner and administrators, wherever changes show; former addresses of the page lead nowhere any more. Page objects then tell no earlier changes to anybody: `/v1/history/{path}` lists them to the owner and administrators. `all`: the whole history again. Left out: as before. For the owner and administrators; going back to an older change leaves it alone.',
        examples: ['from now'],
      }),
    ),
  },
  { title: 'PageEdit', description: 'What to change of a page; what is left out stays as it is.' },
);
