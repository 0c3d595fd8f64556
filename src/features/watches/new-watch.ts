/** Schema of a new watch. */
import { Type } from 'typebox';
import { component, oneOf, optionalText } from '#core/operations/fields.ts';
import { mailFrequencies } from '#core/ports/watch-store.ts';

export const mail = oneOf(
  mailFrequencies,
  'When mail about it is sent: never, at once, daily at seven in the morning, or on Mondays (UTC).',
  'daily',
);

export const NewWatch = component(
  'NewWatch',
  'Exactly one of `page`, `ancestor`, `tag`, `search`, `comments`, `proposals` and `reviews`. The default of `mail` is `off`.',
  {
    page: optionalText('Path of a page.', '/garden/roses'),
    ancestor: optionalText('Path of a page: it and its subtree. `/` for the whole wiki.', '/garden'),
    tag: optionalText('Pages with this tag, as in a search.', 'kind:tree'),
    search: optionalText(
      'Pages that a search finds, given as its query. Order and limit are ignored.',
      'text=oak&type=Place',
    ),
    comments: optionalText('`mentions` of the member, or answers in `threads` of the member.', 'mentions'),
    proposals: optionalText(
      '`mine`: reviews and merges of proposals that the member made or reviewed.',
      'mine',
    ),
    reviews: optionalText(
      '`mine`: reviews that are due of pages for which the member is responsible.',
      'mine',
    ),
    mail: Type.Optional(mail),
  },
);
