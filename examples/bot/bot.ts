/** Keeps a page that lists what other pages link to and nobody has written, up to date as the wiki changes. */
import { Coppice } from '@coppice/client';

const { WIKI = 'http://localhost:8080', TOKEN = '' } = process.env;
const path = '/wanted-pages';
const wiki = new Coppice(WIKI, { credential: { token: TOKEN } });

async function update(): Promise<void> {
  const wanted = await wiki.request('GET /v1/requested/{num}', { path: { num: 50 } });
  // Titles are no links here, or this page would want them, too.
  const lines = wanted.map(({ title, links }) => `* <nowiki>${title}</nowiki> (${links.length})\n`);
  const fields = { body: lines.join('') || 'Nothing is wanted.', msg: 'Pages that are wanted now' };
  // An edit that changes nothing adds no version.
  if (await wiki.read(path)) await wiki.edit(path, fields);
  else await wiki.create({ title: 'Wanted pages', path, ...fields });
}

// The cursor is taken first, so that nothing is missed that happens during the first update.
const { next } = await wiki.request('GET /v1/changes', { query: { after: 'latest' } });
await update();
for await (const event of wiki.changes({ after: next })) {
  if (event.page.path !== path) await update();
}
