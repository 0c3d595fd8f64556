/**
 * Entry point of the pages about access and groups: completes names of people and groups, and says who will read and edit while somebody
 * chooses permissions.
 */
import { accessMeans } from '#web/chosen-access.ts';
import { accessIn, grantsOf, labelPermissions, wikiOf } from './access-fields.ts';
import { ask } from './ask.ts';
import { Combobox } from './combobox.ts';
import { suggestMembers } from './member-names.ts';
import { say, textHere } from './words.ts';

interface Grantees {
  groups: { name: string }[];
  members: { name: string }[];
}

suggestMembers(document);

const search = document.querySelector<HTMLFormElement>('form[data-grantees]');
const input = search?.querySelector('input');
if (search && input)
  new Combobox(input, {
    async suggest(text, signal) {
      if (text.trim() === '') return [];
      const url = `${search.dataset.grantees}?name=${encodeURIComponent(text.trim())}`;
      const { groups = [], members = [] } = (await ask<Grantees>(url, { signal })) ?? {};
      const named = (all: { name: string }[], detail: string) =>
        all.map(({ name }) => ({ label: name, detail }));
      return [...named(groups, say('scriptAccess.group')), ...named(members, say('scriptAccess.member'))];
    },
    // People may share a name, so the choice is made among the results.
    onPick: () => search.requestSubmit(),
  }).connect();

const form = document.querySelector<HTMLFormElement>('form[data-permissions]');
const meaning = document.querySelector<HTMLElement>('#access-means');
if (form && meaning) {
  const update = () => {
    labelPermissions(form);
    meaning.textContent = textHere(accessMeans(accessIn(form), wikiOf(form), grantsOf(form)));
  };
  form.addEventListener('input', update);
  update();
}
