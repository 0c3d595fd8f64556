/** Members as administrators manage them, and blocks and undoing, which are for moderators as well. */
import { blockList, memberBlocking, memberUnblocking } from '#core/members/block-operations.ts';
import { memberChange, memberList } from '#core/members/operations.ts';
import { undoOfMember } from '#core/pages/undo-operations.ts';
import { del, get, type HttpFace, patch, post } from '../operation-routes.ts';

export const moderationFaces: readonly HttpFace[] = [
  {
    tag: 'Members',
    routes: [
      get('/v1/members', memberList),
      // Only digits, because other words are operations such as `auth`.
      patch('/v1/members/:id(^\\d+$)', memberChange),
      get('/v1/blocks', blockList),
      post('/v1/members/:id/block', memberBlocking),
      del('/v1/members/:id/block', memberUnblocking),
    ],
  },
  { tag: 'History', routes: [post('/v1/members/:id/undo', undoOfMember)] },
];
