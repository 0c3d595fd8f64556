/** Translations in the API. */
import { get, type HttpFace, post } from '#http/operation-routes.ts';
import {
  listBehind,
  listTranslated,
  listTranslations,
  listUntranslated,
  markTranslated,
  ShownTranslations,
  TranslatedPages,
} from './operations.ts';

export const http: HttpFace = {
  tag: 'Translations',
  routes: [
    get('/v1/translations', listBehind, {
      shown: {
        schema: ShownTranslations,
        toJson: ({ items }) => items,
      },
      next: ({ next }) => next,
    }),
    get('/v1/translations/*', listTranslations),
    post('/v1/translations/*', markTranslated),
    get('/v1/untranslated', listTranslated, {
      shown: {
        schema: TranslatedPages,
        toJson: ({ items }) => items,
      },
      next: ({ next }) => next,
    }),
    get('/v1/untranslated/*', listUntranslated),
  ],
};
