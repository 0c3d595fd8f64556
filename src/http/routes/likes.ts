/** Likes. */
import { like, unlike } from '#core/pages/like-operations.ts';
import { del, type HttpFace, put } from '../operation-routes.ts';

export const likeFace: HttpFace = {
  tag: 'Likes',
  routes: [put('/v1/likes/*', like), del('/v1/likes/*', unlike)],
};
