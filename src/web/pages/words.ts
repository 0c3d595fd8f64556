/** Short pages that report a result and link to next steps. */
import type { FastifyReply } from 'fastify';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';

interface Words {
  title: string;
  words: Html;
  status?: number;
}

export function sendWords(site: Site, reply: FastifyReply, { title, words, status }: Words): FastifyReply {
  const main = html`<div class="plain"><h1>${title}</h1>
<p class="lede">${words}</p>
<p><a href="/login">Sign in</a> · <a href="/">Go to the home page</a></p></div>`;
  return sendLayout(site, reply, { title, kind: 'login', main, status });
}

/** Page for a one-time link that is no longer valid. `words`: the reason, and how to get another. */
export function sendSpent(site: Site, reply: FastifyReply, words: Html): FastifyReply {
  return sendWords(site, reply, { title: 'This link no longer works', words, status: 404 });
}
