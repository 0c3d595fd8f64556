/** Sends letters by SMTP (RFC 5321), each as text and as HTML from the one template. */
import { hash } from 'node:crypto';
import nodemailer from 'nodemailer';
import { type Letter, type LetterPage, MailRefused, type MailServer } from '#core/ports/mail.ts';
import { type Html, html, type Words } from '#html/html.ts';
import { siteLanguage } from '#words/languages.ts';
import { say, textOf } from '#words/say.ts';

export interface MailSettings {
  /** For example `smtp://user:secret@host:587`. STARTTLS is used if the server offers it; `smtps:` is TLS from the start. */
  url: string;
  /** Sender: `Name <address>` or an address. */
  from: string;
}

const timeoutMs = 30_000;

export function createMailServer({ url, from }: MailSettings): MailServer {
  const address = new URL(url);
  const isEncrypted = address.protocol === 'smtps:';
  const user = decodeURIComponent(address.username);
  const transport = nodemailer.createTransport({
    host: address.hostname.replace(/^\[|\]$/g, ''),
    port: Number(address.port) || (isEncrypted ? 465 : 587),
    secure: isEncrypted,
    // A passphrase is never sent in the clear, except to a server on this machine.
    requireTLS: user !== '' && !isLocal(address.hostname),
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(address.password) } }),
    pool: true,
    maxConnections: 2,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Letters have no attachments: nothing is ever read from a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(letter, wikiName, key) {
      const { name, address } = letter.to;
      try {
        await transport.sendMail({
          from,
          to: name === undefined ? address : { name, address },
          ...(key === undefined ? {} : { messageId: messageId(key, from) }),
          subject: textOf(letter.subject, letter.language),
          text: plainText(letter),
          html: htmlOf(letter, wikiName).in(letter.language),
          // RFC 3834 §5: prevents automatic replies, such as vacation notices.
          headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribing(letter) },
        });
      } catch (error) {
        throw refusalOf(error as Failure);
      }
    },
    close: () => transport.close(),
  };
}

/** RFC 5322 §3.6.4: at the domain of the sender. The hash does not tell how many mails the wiki sends. */
function messageId(key: string, from: string): string {
  const domain = /@([^\s<>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return `<${hash('sha256', key).slice(0, 32)}@${domain}>`;
}

function isLocal(host: string): boolean {
  return host === 'localhost' || host === '127.0.0.1' || host === '[::1]';
}

type Failure = { message: string; responseCode?: number; code?: string };

/**
 * A rejected mailbox (RFC 5321 §4.2.1: 5yz) is a permanent failure; failed sign-in or connection can be fixed by the
 * administrator, so it is retried.
 */
function refusalOf({ message, responseCode = 0, code }: Failure) {
  return new MailRefused(message, code === 'EENVELOPE' && responseCode >= 500);
}

/** RFC 2369 §3.2 and RFC 8058 §3.1: mail clients show an unsubscribe button. */
function unsubscribing({ unsubscribe }: Letter): Record<string, string> {
  if (unsubscribe === undefined) return {};
  return {
    'List-Unsubscribe': `<${unsubscribe}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

function plainText({ language, paragraphs, pages = [], link, reason, unsubscribe }: Letter): string {
  const translated = (words: Words) => textOf(words, language);
  const parts = [
    ...paragraphs.map(translated),
    ...pages.map((page) => pageText(page, translated)),
    ...(link ? [link.url] : []),
    translated(reason),
    ...(unsubscribe === undefined ? [] : [translated(say('mail.unsubscribeUrl', { url: unsubscribe }))]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function pageText(
  { title, url, happened, lines, more }: LetterPage,
  translated: (words: Words) => string,
): string {
  const changed = lines.map(
    ({ kind, words }) => `${kind === 'added' ? '+' : '-'} ${words.map(({ text }) => text).join('')}`,
  );
  return [title, url, ...happened.map(translated), ...changed, more && translated(more)]
    .filter((line) => line !== undefined)
    .join('\n');
}

/** Styles are inline, because mail clients drop style sheets. */
function htmlOf(
  { language, subject, paragraphs, pages = [], link, reason, unsubscribe }: Letter,
  wikiName: string,
): Html {
  const button =
    'display:inline-block;padding:12px 20px;border-radius:6px;background:#1d6b4f;color:#ffffff;text-decoration:none;font-weight:600';
  const quiet = 'color:#5b645e;font-size:14px;line-height:21px';
  const { direction } = siteLanguage(language);
  // Twice, because many mail programs show only what is within the body.
  return html`<!DOCTYPE html>
<html lang="${language}" dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;padding:24px;background:#fbfaf7;color:#1f2421;font-family:-apple-system,'Segoe UI',sans-serif;font-size:16px;line-height:25px">
<div lang="${language}" dir="${direction}" style="max-width:560px;margin:0 auto">
<p style="font-family:Georgia,serif;font-weight:600;font-size:20px">${wikiName}</p>
${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
${pages.map(pageHtml)}
${
  link &&
  html`<p style="margin:24px 0"><a href="${link.url}" style="${button}">${link.label}</a></p><p style="${quiet}">${say(
    'mail.orOpenAddress',
    { url: html`<a href="${link.url}" style="color:#1d6b4f;word-break:break-all" dir="ltr">${link.url}</a>` },
  )}</p>`
}
<hr style="border:0;border-top:1px solid #e3e1da;margin:24px 0"><p style="${quiet}">${reason}${
    unsubscribe !== undefined &&
    html` <a href="${unsubscribe}" style="color:#1d6b4f">${say('mail.unsubscribe')}</a>`
  }</p>
</div></body></html>`;
}

function pageHtml({ title, url, happened, lines, more }: LetterPage): Html {
  const quiet = 'margin:0;color:#5b645e;font-size:14px;line-height:21px';
  return html`<div style="margin:24px 0"><p style="margin:0;font-weight:600" dir="auto">${url === undefined ? title : html`<a href="${url}" style="color:#1d6b4f">${title}</a>`}</p>
${happened.map((sentence) => html`<p style="${quiet}">${sentence}</p>`)}
${lines.map(lineHtml)}
${more !== undefined && html`<p style="${quiet}">${more}</p>`}</div>`;
}

/** A changed line: a sign besides the colour, and the changed words marked. */
function lineHtml({ kind, words }: LetterPage['lines'][number]): Html {
  const isAdded = kind === 'added';
  const line = `margin:4px 0;padding:4px 8px;white-space:pre-wrap;background:${isAdded ? '#f0f8f3' : '#fcf1ef'}`;
  const mark = `background:${isAdded ? '#c3e6d2' : '#f2c4bc'};text-decoration:${isAdded ? 'none' : 'line-through'}`;
  return html`<p style="${line}" dir="auto">${isAdded ? '+ ' : '− '}${words.map(({ isChanged, text }) =>
    isChanged
      ? isAdded
        ? html`<ins style="${mark}">${text}</ins>`
        : html`<del style="${mark}">${text}</del>`
      : text,
  )}</p>`;
}
