/** Members who have a page open for editing, for the scripts of the site. */
import { type HttpFace, post } from '#http/operation-routes.ts';
import { noteEditing } from './operations.ts';

export const http: HttpFace = { tag: 'Drafts', routes: [post('/v1/editing/*', noteEditing)] };
