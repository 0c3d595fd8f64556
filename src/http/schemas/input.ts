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
  size: Type.Optional(count('Size in bytes, to be checked.', 4)),
  encoding: optionalText('Encoding of the file; not used.', '7bit'),
  mimetype: optionalText('MIME type as the client has it; what counts is the bytes.', 'image/webp'),
  md5: optionalText('MD5 of the bytes in hex, to be checked.', 'a8f5f167f44f4964e6c998dee827110c'),
});

const Files = component('Files', 'A file and, for an image, optionally a thumbnail of it.', {
  file: FileUpload,
  thumbnail: Type.Optional(FileUpload),
});

const inputFields = { ...givenFields, ...givenAccess, files: Type.Optional(Files) };

export const NewPage = component('NewPage', 'A page to create. Unknown fields are ignored.', inputFields);

export const PageEdit = component(
  'PageEdit',
  'Changes to a page; fields that are left out stay as they are.',
  {
    ...inputFields,
    base: Type.Optional(
      integer(
        'ID of the change that the edit started from: later changes are merged with it, and 412 where both changed the same. `If-Match`, where it is sent too, decides first.',
        41,
        { minimum: 1 },
      ),
    ),
    permissions: Type.Optional(
      number(
        'Three octal digits for owner, group and world. **Whoever may read the page may read its whole history and its replaced files, too**: opening a private page publishes all that it ever said, unless `history` is `from now`.',
        774,
      ),
    ),
    removeFiles: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Files to take from the page, by their `name` or `filename`. They stay at their addresses as files of earlier changes, and going back to one of these brings them back.',
        maxItems: 1000,
        examples: [['rose.jpg']],
      }),
    ),
    history: Type.Optional(
      oneOf(
        ['from now', 'all'],
        'How much of its history the page shows. `from now`: this change and later ones alone, to everybody but its owner and administrators, wherever changes show; former addresses of the page lead nowhere any more. Page objects then tell no earlier changes to anybody: `/v1/history/{path}` lists them to the owner and administrators. `all`: the whole history again. Left out: as before. For the owner and administrators; going back to an older change leaves it alone.',
        'from now',
      ),
    ),
  },
);
