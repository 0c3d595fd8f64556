/** Short pages that report a result and link to next steps. */
import type { FastifyReply } from 'fastify';
import { say } from '#words/say.ts';
import { type HtmlValue, html, type Words } from '../../html.ts';
import { sendLayout } from '../../layout.ts';
import type { Site } from '../../site.ts';

interface WordsPage {
  title: Words;
  words: HtmlValue;
  status?: number;
}

export function sendWords(
  site: Site,
  reply: FastifyReply,
  { title, words, status }: WordsPage,
): FastifyReply {
  const main = html`<div class="plain"><h1>${title}</h1>
<p class="lede">${words}</p>
<p><a href="/login">${say('common.signIn')}</a> · <a href="/">${say('words.goToTheHomePage')}</a></p></div>`;
  return sendLayout(site, reply, { title, kind: 'login', main, status });
}

/** Page for a one-time link that is no longer valid. `words`: the reason, and how to get another. */
export function sendSpent(site: Site, reply: FastifyReply, words: HtmlValue): FastifyReply {
  return sendWords(site, reply, { title: say('words.thisLinkNoLongerWorks'), words, status: 404 });
}
