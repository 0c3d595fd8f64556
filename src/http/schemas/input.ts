/** JSON schemas of input: pages and their files. */
import { Type } from 'typebox';
import {
  component,
  count,
  integer,
  number,
  object,
  oneOf,
  optionalText,
  text,
  textOrNull,
} from '#core/operations/fields.ts';
import { givenAccess, givenFields } from './page-fields.ts';

/** The Buffer form is what Node's `Buffer` becomes in JSON. */
const FileUpload = component('FileUpload', 'A file to attach.', {
  name: text('File name.', 'rose.jpg'),
  data: Type.Union(
    [
      text('The bytes in base64.', 'UklGRg=='),
      object("Node's JSON form of a Buffer.", {
        type: Type.Literal('Buffer', { description: 'Always `Buffer`.', examples: ['Buffer'] }),
        data: Type.Array(Type.Integer({ minimum: 0, maximum: 255 }), {
          description: 'The bytes as numbers.',
          examples: [[82, 73, 70, 70]],
        }),
      }),
    ],
    { description: 'The bytes: base64, or the JSON form of a Buffer.', examples: ['UklGRg=='] },
  ),
  size: Type.Optional(count('Size in bytes, which is checked.', 4)),
  encoding: optionalText('Encoding of the file; not used.', '7bit'),
  mimetype: optionalText(
    'MIME type according to the client. It is ignored; the type is detected from the bytes.',
    'image/webp',
  ),
  md5: optionalText('MD5 of the bytes in hex, which is checked.', 'a8f5f167f44f4964e6c998dee827110c'),
});

const Files = component('Files', 'A file and, for an image, optionally a thumbnail of it.', {
  file: FileUpload,
  thumbnail: Type.Optional(FileUpload),
});

const translationOf = Type.Optional(
  Type.Union([Type.String(), Type.Integer(), Type.Null()], {
    description:
      'Path or ID of the page of which this one is a translation; empty, `/`, 0 or null for none. A translation of a translation joins the set of its original. The translation renders the latest change of the original.',
    examples: ['/garden'],
  }),
);
const inputFields = { ...givenFields, ...givenAccess, translationOf, files: Type.Optional(Files) };

export const NewPage = component('NewPage', 'A page to create. Unknown fields are ignored.', {
  ...inputFields,
  from: Type.Optional(
    textOrNull(
      'Path of a page template: a page of the type `Page template`. The new page takes its body, format, data, picture, location and files, unless it gives its own; `{{subst:…}}` in the body is expanded now. Empty or null for none.',
      '/templates/rose',
    ),
  ),
});

export const PageEdit = component(
  'PageEdit',
  'Changes to a page; fields that are left out stay as they are.',
  {
    ...inputFields,
    base: Type.Optional(
      integer(
        'ID of the change that the edit started from. Later changes are merged with the edit; the status is 412 if both changed the same places. If `If-Match` is sent too, it decides first.',
        41,
        { minimum: 1 },
      ),
    ),
    permissions: Type.Optional(
      number(
        'Three octal digits for owner, group and world. **Whoever may read the page may also read its whole history and its replaced files**: opening a private page publishes all its earlier contents, unless `history` is `from now`.',
        774,
      ),
    ),
    removeFiles: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Files to remove from the page, by `name` or `filename`. They keep their addresses as files of earlier changes, and restoring such a change brings them back.',
        maxItems: 1000,
        examples: [['rose.jpg']],
      }),
    ),
    history: Type.Optional(
      oneOf(
        ['from now', 'all'],
        'How much of its history the page shows. `from now`: only this change and later ones are shown to everybody but the owner and administrators, wherever changes are shown, and former addresses of the page stop working. Page objects then contain no earlier changes for anybody; `/v1/history/{path}` lists them for the owner and administrators. `all`: the whole history is shown again. Without it, nothing changes. Only the owner and administrators can set it; restoring an older change does not affect it.',
        'from now',
      ),
    ),
  },
);
