/** Groups in the API. */
import { del, get, type HttpFace, post, put } from '#http/operation-routes.ts';
import {
  addToGroup,
  createGroup,
  deleteGroup,
  listGroups,
  readGroup,
  removeFromGroup,
  renameGroup,
} from './operations.ts';

export const http: HttpFace = {
  tag: 'Groups',
  routes: [
    get('/v1/groups', listGroups),
    post('/v1/groups', createGroup),
    get('/v1/groups/:id', readGroup, { total: ({ memberCount }) => memberCount }),
    post('/v1/groups/:id', renameGroup),
    del('/v1/groups/:id', deleteGroup),
    put('/v1/groups/:id/members/:memberId', addToGroup),
    del('/v1/groups/:id/members/:memberId', removeFromGroup),
  ],
};
