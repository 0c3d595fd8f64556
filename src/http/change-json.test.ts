import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentText } from '#domain/content-text.ts';
import type { Change, Content } from '#domain/page.ts';
import { changesParts } from './change-json.ts';
import { bytesOf } from './json-bytes.ts';

const awkward = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', ',"parent":null', '","parent":"', ',"msg":"', '\\', '\\"', ',"image":null', '\u2028'),
  fc.constantFrom('\ud800', '\0', ',"files":["a"]', '"]}', 'é…😀'),
);
const data = fc.dictionary(
  fc.constantFrom('parent', 'msg', 'image', 'title', 'files', '__proto__'),
  fc.oneof(awkward, fc.constant(null), fc.jsonValue()),
);
const contents: fc.Arbitrary<Content> = fc
  .record({
    title: awkward,
    slug: awkward,
    path: awkward,
    parent: fc.option(awkward),
    description: fc.option(awkward),
    type: fc.option(awkward),
    permissions: fc.constantFrom(774, 0),
    location: fc.constantFrom<Content['location']>(null, false, { lat: 1.5, lon: -2 }),
    body: awkward,
    format: fc.constantFrom<Content['format']>('wikitext', 'markdown'),
    data,
    image: fc.option(awkward),
    msg: awkward,
  })
  .chain((content) =>
    fc
      .option(fc.array(awkward), { nil: undefined })
      .map((files) => (files ? { ...content, files } : content)),
  );
const changeOf = (content: Content): Change => ({
  id: 7,
  pageId: 1,
  at: 1_700_000_000_000,
  editor: { id: 3, name: 'A "b"' },
  content,
});

test('a change that is stored whole is shown by the same bytes as one that is not, unparsed', () => {
  const shown = (changes: Change[]) => bytesOf(changesParts(changes)).toString();
  const unread = (content: Content): Change =>
    Object.defineProperty({ ...changeOf(content), stored: contentText(content) }, 'content', {
      get: () => expect.fail('Nobody needs to read it.'),
    });
  fc.assert(
    fc.property(fc.array(contents, { maxLength: 3 }), (history) => {
      const parsed = shown(history.map(changeOf));
      expect(shown(history.map(unread))).toBe(parsed);
      const [first] = JSON.parse(parsed);
      if (first) expect(first).toMatchObject({ id: 7, msg: first.content.msg, editor: { name: 'A "b"' } });
    }),
    { numRuns: 300 },
  );
});
