/** A bundle for any runtime: the most common uses of the client, with results as JSON. */
import { Coppice, type CoppiceError } from '@coppice/client';

export async function exercise(address: string, email: string, pass: string, name: string): Promise<object> {
  const visitor = new Coppice(address);
  const refused = await visitor.create({ title: 'No' }).catch((error: CoppiceError) => error.code);
  // The client signs in automatically, and again once its session has ended.
  const wiki = new Coppice(address, { credential: { email, pass } });
  const page = await wiki.create({ title: name, body: 'one' });
  await wiki.request('POST /v1/members/signout');
  const path = `/${name}`;
  const first = page.history[0]?.id ?? 0;
  await wiki.edit(path, { body: 'two' });
  const outcome = await wiki.edit(path, { body: 'three', base: first });
  const theirs = outcome.ok ? '' : String(outcome.theirs.content.body);
  const merged = outcome.ok ? outcome : await outcome.merge({ body: 'two and three' });
  const sent: number[] = [];
  const file = { name: 'a.txt', blob: new Blob(['text']) };
  const uploaded = await wiki.upload(path, [file], { onProgress: (bytes) => sent.push(bytes) });
  const titles: string[] = [];
  const query = { path, fields: 'title' };
  for await (const { title } of wiki.list('GET /v1/pages', { query })) titles.push(title);
  const kinds = new Set<string>();
  for await (const event of wiki.changesUntilNow({ after: '0' }))
    if (event.page.path === path) kinds.add(event.kind);
  const told: string[] = [];
  for await (const event of wiki.changes({ after: '0' })) {
    told.push(event.kind);
    break;
  }
  return {
    refused,
    theirs,
    isMerged: merged.ok,
    files: uploaded.files.length,
    hasProgress: sent.length > 0,
    titles,
    kinds: [...kinds],
    told,
  };
}

Object.assign(globalThis, { exercise });
