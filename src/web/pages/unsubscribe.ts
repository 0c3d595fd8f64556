/** Unsubscribes from mail about watches by its link, without signing in (RFC 8058). */
import type { FastifyInstance, FastifyReply } from 'fastify';
import { readSubscription, type Subscription, unsubscribe } from '#core/watches/feed.ts';
import { html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';

interface Address {
  Params: { key: string; of: string };
}

export function unsubscribeRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;

  // Reading changes nothing, because malware scanners open every link in a mail.
  server.get<Address>('/account/unsubscribe/:key/:of', async (request, reply) => {
    const { key, of } = request.params;
    const subscription = await readSubscription(store, key, of);
    return send(
      site,
      reply,
      html`<p class="lede">Do you want no more mail about ${wordsOf(subscription)}?</p>
<form method="post"><div class="buttons"><button type="submit" class="button">No more mail</button></div></form>`,
    );
  });

  // Accepted from anywhere: mail programs send it themselves (§3.2), and the URL is the secret.
  server.post<Address>(
    '/account/unsubscribe/:key/:of',
    { config: { audit: [], isForeign: true } },
    async (request, reply) => {
      const { key, of } = request.params;
      const subscription = await readSubscription(store, key, of);
      await unsubscribe(store, subscription);
      return send(
        site,
        reply,
        html`<p class="lede">No more mail will come about ${wordsOf(subscription)}. Your notifications go on: <a href="/account/watches">choose what you watch</a>.</p>`,
      );
    },
  );
}

function wordsOf({ of }: Subscription): string {
  return typeof of === 'number' ? 'this' : `what you watch with ${of} mail`;
}

function send(site: Site, reply: FastifyReply, content: ReturnType<typeof html>): FastifyReply {
  const main = html`<div class="plain"><h1>Mail about watched pages</h1>${content}</div>`;
  return sendLayout(site, reply, { title: 'Mail about watched pages', kind: 'account', main });
}
