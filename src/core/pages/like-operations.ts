/** Likes. */
import { Type } from 'typebox';
import { component, text } from '../operations/fields.ts';
import { converted, operation } from '../operations/operation.ts';
import { likePage, unlikePage } from './like-page.ts';

const Likes = converted(
  component('Likes', 'Members who like a page.', {
    likes: Type.Array(Type.Integer(), {
      description: 'IDs of the members who like the page now.',
      examples: [[3, 8]],
    }),
  }),
  (likes: number[]) => ({ likes }),
);

const liking = {
  access: 'self',
  scope: 'write',
  subtree: 'within',
  refusesBlocked: true,
  input: Type.Object({ path: text('Path of the page.', '/garden/roses') }),
  output: Likes,
  problems: ['not-found', 'gone'],
  writes: 'itself',
  audit: [],
  ports: ['store'],
} as const;

export const like = operation({
  ...liking,
  name: 'likePage',
  summary: 'Like a page',
  description: 'Liking a page twice has the same effect as liking it once.',
  run: ({ store }, { input: { path }, by, now }) => likePage(store, by, path, now),
});

export const unlike = operation({
  ...liking,
  name: 'unlikePage',
  summary: 'Remove a like',
  description: 'Removes the caller’s like, if there is one.',
  run: ({ store }, { input: { path }, by }) => unlikePage(store, by, path),
});
