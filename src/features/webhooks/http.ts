/** Webhooks in the API. */
import { del, get, type HttpFace, patch, post } from '#http/operation-routes.ts';
import {
  createWebhook,
  deleteWebhook,
  editWebhook,
  listDeliveries,
  listWebhooks,
  readWebhook,
  replayDelivery,
  testWebhook,
} from './operations.ts';

export const http: HttpFace = {
  tag: 'Webhooks',
  routes: [
    post('/v1/webhooks', createWebhook),
    get('/v1/webhooks', listWebhooks),
    get('/v1/webhooks/:id', readWebhook),
    patch('/v1/webhooks/:id', editWebhook),
    del('/v1/webhooks/:id', deleteWebhook),
    post('/v1/webhooks/:id/test', testWebhook),
    get('/v1/webhooks/:id/deliveries', listDeliveries),
    post('/v1/webhooks/:id/deliveries/:delivery/replay', replayDelivery),
  ],
};
