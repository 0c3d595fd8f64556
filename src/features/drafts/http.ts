/** Drafts of the editor in the API, for the scripts of the site. */
import { del, get, type HttpFace, put } from '#http/operation-routes.ts';
import { discardDraft, keepDraft, listDrafts, maxDraftBytes, readDraft } from './operations.ts';

export const http: HttpFace = {
  tag: 'Drafts',
  routes: [
    get('/v1/drafts', listDrafts),
    get('/v1/drafts/:id', readDraft),
    put('/v1/drafts/:id', keepDraft, { maxBytes: maxDraftBytes + 100_000 }),
    del('/v1/drafts/:id', discardDraft),
  ],
};
