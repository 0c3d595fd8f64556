/** Pages that say in a few words what came of something, with ways to go on. */
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
<p><a href="/login">Sign in</a> · <a href="/">Go to the start</a></p></div>`;
  return sendLayout(site, reply, { title, kind: 'login', main, status });
}

/** For a link by which nothing can be done any more. `words`: why, and where there is another. */
export function sendSpent(site: Site, reply: FastifyReply, words: Html): FastifyReply {
  return sendWords(site, reply, { title: 'This link does not work any more', words, status: 404 });
}
