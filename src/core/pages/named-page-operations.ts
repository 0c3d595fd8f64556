/** Reading the pages that the settings name as imprint and privacy policy, for everybody. */
import { Type } from 'typebox';
import { say } from '#words/say.ts';
import { renderBody } from '../content/cached-rendering.ts';
import type { Page, WholePage } from '../model/page.ts';
import { Problem } from '../model/problem.ts';
import { text } from '../operations/fields.ts';
import { answer, operation } from '../operations/operation.ts';
import { namedPages } from '../reading/named-pages.ts';
import { renderInputOf } from './page-view.ts';

export interface NamedPageView {
  page: WholePage;
  /** Language of texts that have none of their own. */
  wikiLanguage: string;
  markup: string;
  displayTitle: string | undefined;
  /** All pages that are shown, by the path that the settings name. */
  shown: ReadonlyMap<string, Page>;
}

export const namedPageReading = operation({
  name: 'readNamedPage',
  summary: 'Read the imprint or the privacy policy',
  description:
    'For everybody, also in a private wiki: a page that the settings name, if all members can read it. Nothing else of the wiki is shown.',
  access: 'anyone',
  scope: 'read',
  subtree: 'refused',
  input: Type.Object({ path: text('Path that the settings name.', '/imprint') }),
  output: answer<NamedPageView>(),
  problems: ['not-found', 'too-many-requests'],
  ports: ['store', 'renderer'],
  async run({ store, renderer }, { input: { path }, now }) {
    const { pages: shown, reader } = await namedPages(store);
    const found = shown.get(path);
    const [page] = found ? await reader.pages.load([found.id], 'none') : [];
    if (!page) throw new Problem('not-found', say('problem.noPageExistsAt', { shown: path }));
    const { page: facts, ...input } = renderInputOf(page);
    // The page above is not shown.
    const { parent: _, ...own } = facts;
    const cacheKey = `named ${page.id} ${page.changeId}`;
    const { html, displayTitle } = await renderBody(reader, renderer, { ...input, page: own, cacheKey }, now);
    return { page, wikiLanguage: reader.dialect.language, markup: html, displayTitle, shown };
  },
});
