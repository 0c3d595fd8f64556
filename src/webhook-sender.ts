/** Webhooks of the server and of the commands: where they may be sent, how they are signed, and what they send. */
import { createWebhookSignatures } from '#auth/webhook-signatures.ts';
import type { WebhookSender } from '#domain/webhooks/send-webhook.ts';
import { eventJson } from '#http/schemas/event.ts';
import { createOutgoing } from '#outgoing/outgoing.ts';
import type { Config } from './config/config.ts';
import { version } from './version.ts';

export function createWebhookSender(
  { outgoingAllowed: allowed }: Config,
  clock: () => number,
): WebhookSender {
  const outgoing = createOutgoing({ allowed, userAgent: `Coppice/${version}` });
  return { outgoing, signatures: createWebhookSignatures(), eventJson: (event) => eventJson(event), clock };
}
