/** Verifying pages in the API. */
import { get, type HttpFace, post } from '#http/operation-routes.ts';
import { readVerification, verifyPage } from './operations.ts';

export const http: HttpFace = {
  tag: 'Pages',
  routes: [get('/v1/verifications/*', readVerification), post('/v1/verifications/*', verifyPage)],
};
