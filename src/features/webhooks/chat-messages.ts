/**
 * Events as messages of chat programs. Names, titles and messages come from members, so all of them are escaped for the mark-up of
 * the program, and no message can mention anybody.
 */
import type { EventMessage } from '#core/events/webhook-sender.ts';
import { eventWords } from '#core/model/event.ts';
import type { WebhookFormat } from '#core/ports/webhook-store.ts';

/** Discord takes messages of up to 2,000 characters, escapes included. */
const maxPart = 200;

/** The body to send: the event itself for `standard`. `wikiUrl`: address of the wiki, without a slash at the end. */
export function bodyFor(format: WebhookFormat, event: EventMessage, wikiUrl: string): unknown {
  if (format === 'standard') return event;
  const { page } = event;
  const url = page && wikiUrl + encodeURI(page.path).replace(/[?#&()]/g, percentEncoded);
  const said = {
    who: shortened(event.editor?.name ?? 'Somebody'),
    does: event.kind === 'test' ? 'sent a test' : eventWords[event.kind],
    title: page && shortened(page.title ?? page.path),
    url,
    msg: shortened(event.msg),
  };
  return bodies[format](said);
}

interface Said {
  who: string;
  does: string;
  title: string | null;
  url: string | null;
  msg: string;
}

const bodies: Record<Exclude<WebhookFormat, 'standard'>, (said: Said) => unknown> = {
  slack: ({ who, does, title, url, msg }) => ({
    text: sentence(slackText(who), does, title && `<${url}|${slackText(title)}>`, slackText(msg)),
    mrkdwn: false,
    unfurl_links: false,
  }),
  discord: ({ who, does, title, url, msg }) => ({
    content: sentence(
      markdownText(who),
      does,
      title && `[${markdownText(title)}](<${url}>)`,
      markdownText(msg),
    ),
    allowed_mentions: { parse: [] },
  }),
  teams: ({ who, does, title, url, msg }) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            {
              type: 'TextBlock',
              wrap: true,
              text: sentence(markdownText(who), does, title && markdownText(title), markdownText(msg)),
            },
          ],
          ...(url === null ? {} : { actions: [{ type: 'Action.OpenUrl', title: 'Open the page', url }] }),
        },
      },
    ],
  }),
};

function sentence(who: string, does: string, page: string | null, msg: string): string {
  const what = page === null ? `${who} ${does}` : `${who} ${does} ${page}`;
  return msg === '' ? what : `${what}: ${msg}`;
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
