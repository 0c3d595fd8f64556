/** Texts of files in the API. */
import { get, type HttpFace } from '#http/operation-routes.ts';
import { searchFileTexts } from './operations.ts';

export const http: HttpFace = { tag: 'Files', routes: [get('/v1/file-texts', searchFileTexts)] };
