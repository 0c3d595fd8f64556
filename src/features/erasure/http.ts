/** Permanent erasure of content or of a member's identity, for administrators. */
import { type HttpFace, post } from '#http/operation-routes.ts';
import { erasure } from './operations.ts';

export const http: HttpFace = { tag: 'History', routes: [post('/v1/erase', erasure)] };
