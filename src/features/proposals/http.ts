/** Proposals in the API. */
import { get, type HttpFace, patch, post } from '#http/operation-routes.ts';
import { applyForView } from './merge-proposal.ts';
import { openProposedFile } from './open-file.ts';
import {
  changeProposal,
  linksOfProposal,
  listProposals,
  mergeTheProposal,
  propose,
  readProposal,
  reviewProposal,
} from './operations.ts';
import { maxSentBytes } from './prepare-files.ts';

/** Room for the fields of all changes, and for files, with their encoding as JSON. */
const maxBytes = 12_000_000 + 1.5 * maxSentBytes;

export const http: HttpFace = {
  tag: 'Proposals',
  applyProposal: applyForView,
  openFile: openProposedFile,
  routes: [
    post('/v1/proposals', propose, { maxBytes }),
    get('/v1/proposals', listProposals),
    get('/v1/proposals/:id', readProposal),
    get('/v1/proposals/:id/links', linksOfProposal),
    patch('/v1/proposals/:id', changeProposal, { maxBytes }),
    post('/v1/proposals/:id/reviews', reviewProposal),
    post('/v1/proposals/:id/merge', mergeTheProposal),
  ],
};
