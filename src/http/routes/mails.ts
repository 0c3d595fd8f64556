/** Unsent mail, for administrators. */
import { HandedMail, mailDiscarding, mailHandover, mailList, mailRetry } from '#core/mail/operations.ts';
import { siteLanguageOf } from '#words/languages.ts';
import { textOf } from '#words/say.ts';
import { del, get, type HttpFace, post } from '../operation-routes.ts';

export const mailFace: HttpFace = {
  tag: 'Mail',
  routes: [
    get('/v1/mails', mailList),
    post('/v1/mails/:id/link', mailHandover, {
      given: {
        wiki: (request, { name, baseUrl }) => ({
          name,
          language: siteLanguageOf(request.reader.dialect.language),
          url: baseUrl,
        }),
      },
      shown: {
        schema: HandedMail,
        toJson: ({ to, language, subject, link }) => ({
          to: to.address,
          subject: textOf(subject, language),
          url: link?.url ?? '',
        }),
      },
    }),
    post('/v1/mails/:id/retry', mailRetry),
    del('/v1/mails/:id', mailDiscarding),
  ],
};
