/** Completing names that are mentioned in comments. */
import { Type } from 'typebox';
import type { MemberName } from '#core/model/page.ts';
import { text } from '#core/operations/fields.ts';
import { operation } from '#core/operations/operation.ts';
import { MemberName as MemberNameSchema } from '#core/operations/schemas.ts';
import { getReadable } from '#core/reading/find-page.ts';
import { readersNamed, refuseUnlessCommenter } from './comments.ts';
import { pathExample } from './schemas.ts';

const most = 8;
/** Names that are compared with the access of the page. */
const mostCompared = 100;

export const findMentionable = operation({
  name: 'findMentionable',
  summary: 'Find members to mention',
  description: `Members who may read the page, by the beginning of their name or of a word in it, at most ${most}. For those who may comment on the page, guests aside.`,
  access: 'self',
  scope: 'none',
  input: Type.Object({
    page: text('Path of the page.', pathExample),
    name: Type.String({
      description: 'Beginning of a name, or of a word in it.',
      minLength: 1,
      maxLength: 100,
      examples: ['ad'],
    }),
  }),
  output: Type.Array(MemberNameSchema, { description: 'Members, by name.' }),
  problems: ['not-found', 'gone', 'not-permitted', 'blocked'],
  ports: ['store'],
  async run({ store }, { input, by }): Promise<MemberName[]> {
    const page = await getReadable(store.readAs(by), input.page);
    refuseUnlessCommenter(by, page, store);
    if (by.role === 'guest') return [];
    const { members } = await store.grants.find(input.name, mostCompared, by.memberId);
    const names = members.map(({ name }) => name);
    const readers = await readersNamed(store.comments, names, page, store);
    return members.filter(({ id }) => readers.has(id)).slice(0, most);
  },
});
