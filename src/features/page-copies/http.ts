/** Copies in the API. */
import { component, count, orNull } from '#core/operations/fields.ts';
import { get, type HttpFace, post } from '#http/operation-routes.ts';
import { pageJson } from '#http/page-json.ts';
import { Page } from '#http/schemas/output.ts';
import { copyPage, planCopy } from './operations.ts';

const Copied = component('Copied', 'The copy.', {
  page: orNull(Page, 'The copy of the page; null after a dry run.', null),
  pages: count('How many pages were copied, or would be.', 12),
});

export const http: HttpFace = {
  tag: 'Tree',
  routes: [
    get('/v1/copies/*', planCopy),
    post('/v1/copies/*', copyPage, {
      shown: {
        schema: Copied,
        toJson: ({ page, pages }, wiki) => ({ page: page && pageJson(page, wiki), pages }),
      },
    }),
  ],
};
