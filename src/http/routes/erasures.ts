/** Permanent erasure of content or of a member's identity, for administrators. */
import { erasure } from '#core/erasure/operations.ts';
import { type HttpFace, post } from '../operation-routes.ts';

export const erasureFace: HttpFace = { tag: 'History', routes: [post('/v1/erase', erasure)] };
