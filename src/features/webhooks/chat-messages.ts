/**
 * Events as messages of chat programs. Names, titles and messages come from members, so all of them are escaped for the mark-up of
 * the program, and no message can mention anybody.
 */

import { eventWords } from '#core/model/event.ts';
import type { EventMessage } from '#core/ports/webhook-sender.ts';
import type { WebhookFormat } from '#core/ports/webhook-store.ts';

/** Discord takes messages of up to 2,000 characters, escapes included. */
const maxPart = 200;

/**
 * The body to send: the event itself for `standard`. `wikiUrl`: address of the wiki, without a slash at the end, or empty if it is
 * not known: then nothing is linked.
 */
export function bodyFor(format: WebhookFormat, event: EventMessage, wikiUrl: string): unknown {
  return format === 'standard' ? event : bodies[format](event, wikiUrl);
}

const bodies: Record<
  Exclude<WebhookFormat, 'standard'>,
  (event: EventMessage, wikiUrl: string) => unknown
> = {
  slack: (event, wikiUrl) => ({
    text: sentence(event, slackText, (words) => {
      const url = addressOf(event, wikiUrl);
      return url === null ? words : `<${url}|${words}>`;
    }),
    mrkdwn: false,
    unfurl_links: false,
  }),
  discord: (event, wikiUrl) => ({
    content: sentence(event, markdownText, (words) => {
      const url = addressOf(event, wikiUrl);
      return url === null ? words : `[${words}](<${url}>)`;
    }),
    allowed_mentions: { parse: [] },
  }),
  teams: (event, wikiUrl) => {
    const url = addressOf(event, wikiUrl);
    const text = sentence(event, markdownText, (words) => words);
    const content = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [{ type: 'TextBlock', wrap: true, text }],
      ...(url === null ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'Open the page', url }] }),
    };
    return {
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
    };
  },
};

function addressOf({ page }: EventMessage, wikiUrl: string): string | null {
  if (page === null || wikiUrl === '') return null;
  return wikiUrl + encodeURI(page.path).replace(/[?#&()]/g, percentEncoded);
}

/** `escaped`: removes the meaning that text has for the program; `linked`: makes a link of escaped text. */
function sentence(
  { kind, page, editor, msg }: EventMessage,
  escaped: (text: string) => string,
  linked: (words: string) => string,
): string {
  const shown = (text: string) => escaped(shortened(text));
  const does = kind === 'test' ? 'sent a test' : eventWords[kind];
  const what = page === null ? '' : ` ${linked(shown(page.title ?? page.path))}`;
  return `${shown(editor?.name ?? 'Somebody')} ${does}${what}${msg === '' ? '' : `: ${shown(msg)}`}`;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= maxPart
    ? line
    : `${line
        .slice(0, maxPart)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`;
}

function percentEncoded(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Slack's three special characters, which begin links and mentions. Other mark-up is switched off with the message. */
function slackText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

/** Discord and the cards of Teams read Markdown. */
function markdownText(text: string): string {
  return text.replace(/[\\`*_~|[\](){}<>#+\-!.:@]/g, '\\$&');
}
