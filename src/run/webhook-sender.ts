/** Webhooks as the server and the commands use them: permitted targets, signatures, and payloads. */
import { createWebhookSignatures } from '#auth/webhook-signatures.ts';
import type { Config } from '#config/config.ts';
import { eventJson } from '#core/operations/event-schema.ts';
import type { WebhookSender } from '#core/ports/webhook-sender.ts';
import { createOutgoing } from '#outgoing/outgoing.ts';
import { version } from './version.ts';

export function createWebhookSender(
  { outgoingAllowed: allowed, url: wikiUrl }: Config,
  clock: () => number,
): WebhookSender {
  const outgoing = createOutgoing({ allowed, userAgent: `Coppice/${version}` });
  return {
    outgoing,
    signatures: createWebhookSignatures(),
    eventJson: (event) => eventJson(event),
    wikiUrl,
    clock,
  };
}
