/** Documents of a visual editor in the API. */
import { type HttpFace, post } from '#http/operation-routes.ts';
import { patchDocument, readDocument } from './operations.ts';

/** A body as for previews; with its document, which takes several times as many bytes. */
const maxBodyBytes = 2_000_000;
const maxDocumentBytes = 10_000_000;

export const http: HttpFace = {
  tag: 'Documents',
  routes: [
    post('/v1/document', readDocument, { maxBytes: maxBodyBytes }),
    post('/v1/patch', patchDocument, { maxBytes: maxDocumentBytes }),
  ],
};
