/** Receives the wiki's webhook, and forgets every rendered page that its event made stale. */

import { getSecret } from 'astro:env/server';
import type { Event } from '@coppice/client';
import type { APIRoute } from 'astro';
import { Webhook } from 'standardwebhooks';
import { staleAfter } from '../../wiki.ts';

const webhook = new Webhook(getSecret('WEBHOOK_SECRET') ?? '');

export const POST: APIRoute = async ({ request, cache }) => {
  let event: Event;
  try {
    event = webhook.verify(await request.text(), Object.fromEntries(request.headers)) as Event;
  } catch {
    return new Response('The signature is wrong.', { status: 401 });
  }
  // A test of the webhook is about no page.
  if (event.page) await cache.invalidate({ tags: staleAfter(event) });
  return new Response(null, { status: 204 });
};
