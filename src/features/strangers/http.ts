/** Submissions of people without an account in the API. */
import { get, type HttpFace, post } from '#http/operation-routes.ts';
import {
  approveSubmission,
  eraseStranger,
  listSubmissions,
  refuseSubmissions,
  submitComment,
  submitProposal,
} from './operations.ts';

export const http: HttpFace = {
  tag: 'Comments',
  routes: [
    post('/v1/submissions/comments', submitComment),
    post('/v1/submissions/proposals', submitProposal),
    get('/v1/submissions', listSubmissions),
    post('/v1/submissions/refuse', refuseSubmissions),
    post('/v1/submissions/erase', eraseStranger),
    post('/v1/submissions/:id/approve', approveSubmission),
  ],
};
