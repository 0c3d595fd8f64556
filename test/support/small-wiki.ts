/** A wiki with two members, written and viewed through the domain's operations, with a clock of its own. */
import { createRenderer } from '#core/content/render.ts';
import { addMember } from '#core/members/manage-members.ts';
import type { Actor } from '#core/model/permission.ts';
import { createPage } from '#core/pages/create-page.ts';
import { editPage } from '#core/pages/edit-page.ts';
import { viewPage } from '#core/pages/view-page.ts';
import type { Store } from '#core/ports/store.ts';
import { noFiles } from './no-files.ts';

type Member = NonNullable<Actor>;

export async function wikiWith(store: Store, language?: Parameters<typeof createRenderer>[1]) {
  const renderer = createRenderer('Test', language);
  const passphrases = {
    hash: async () => 'x',
    verify: async () => false,
    isCommon: () => false,
    wikiName: '',
  };
  const memberCalled = async (name: string): Promise<Member> => {
    const input = { email: `${name}@example.org`, name, passphrase: null, isAdmin: false };
    return { memberId: (await addMember(store, passphrases, input, 1)).id, name, isAdmin: false };
  };
  const [olga, max] = [await memberCalled('Olga'), await memberCalled('Max')];
  let now = Date.UTC(2026, 0, 1);
  const view = async (path: string, actor: Actor = null, reader = store.readAs(actor)) => {
    now += 60_000;
    const view = await viewPage({ reader, renderer, now }, path, { history: 'none' });
    if ('movedTo' in view) throw new Error(`${path} has moved.`);
    return view;
  };
  return {
    olga,
    max,
    create: (title: string, body: string, more = {}, actor = olga) =>
      createPage({ store, files: noFiles, actor, now: now++ }, { title, body, ...more }),
    edit: (path: string, input: object, actor = olga) =>
      editPage({ store, files: noFiles, renderer, actor, now: now++ }, path, input),
    view,
    markup: async (path: string, actor: Actor = null) => (await view(path, actor)).markup,
  };
}
