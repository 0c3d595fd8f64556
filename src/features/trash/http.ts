/** The trash in the API. */
import { component } from '#core/operations/fields.ts';
import { del, get, type HttpFace, post } from '#http/operation-routes.ts';
import { pageJson } from '#http/page-json.ts';
import { Page } from '#http/schemas/output.ts';
import { listTrash, purgePage, restoreDeletion } from './operations.ts';

export const http: HttpFace = {
  tag: 'Trash',
  routes: [
    get('/v1/trash', listTrash),
    post('/v1/trash/:id/restore', restoreDeletion, {
      shown: {
        schema: component('RestoredPage', 'The restored page.', { page: Page }),
        toJson: (page, wiki) => ({ page: pageJson(page, wiki) }),
      },
    }),
    del('/v1/trash/:id', purgePage),
  ],
};
