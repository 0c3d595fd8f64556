/** Entry point of the account page: lists drafts kept in this browser and in the wiki with links to them. */
import { openDrafts } from './editor/draft-store.ts';
import { withServerDrafts } from './editor/server-drafts.ts';
import { button, element } from './element.ts';
import { timeElement } from './site/local-times.ts';
import { say } from './words.ts';

const section = document.querySelector<HTMLElement>('[data-drafts]');
const author = document.body.dataset.member ?? '';

if (section && author !== '') {
  const store = withServerDrafts(openDrafts());
  const drafts = await store.list(author).catch(() => []);
  const list = element('ul', { class: 'updates' });
  for (const draft of drafts) {
    const row = element(
      'li',
      {},
      element('a', { href: draft.url, dir: 'auto' }, draft.title || say('scriptAccount.newPage')),
      element(
        'span',
        { class: 'quiet' },
        timeElement(draft.at),
        ' ',
        button(
          say('scriptAccount.throwAway'),
          {
            'aria-label': say('scriptAccount.throwAwayTitle', {
              title: draft.title || say('scriptAccount.newPage'),
            }),
          },
          () => {
            void store.drop(draft.id).then(() => {
              row.remove();
              section.hidden = list.children.length === 0;
            });
          },
        ),
      ),
    );
    list.append(row);
  }
  section.append(list);
  section.hidden = drafts.length === 0;
}
