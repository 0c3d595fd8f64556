/**
 * Webhook signatures by Standard Webhooks 1.0: HMAC-SHA-256 over ID, time and body, with a key written as `whsec_` and base64.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookSignatures } from '#core/ports/credentials.ts';

const form = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

export function createWebhookSignatures(): WebhookSignatures {
  return {
    makeSecret: () => `whsec_${randomBytes(32).toString('base64')}`,
    isSecret(text) {
      const bytes = text.length <= 100 ? keyOf(text)?.length : undefined;
      return bytes !== undefined && bytes >= 24 && bytes <= 64;
    },
    sign(secret, id, timestamp, body) {
      const key = keyOf(secret) ?? Buffer.alloc(0);
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    },
  };
}

function keyOf(secret: string): Buffer | undefined {
  const base64 = form.exec(secret)?.[1];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}
