/**
 * Calls that the types accept, and calls that they refuse. Checked by tsc, here and in the example site with the packed client.
 */
import { Coppice } from '@coppice/client';

const wiki = new Coppice('http://localhost:8080');

export async function typed(): Promise<(string | number | undefined)[]> {
  const { page } = await wiki.request('GET /v1/pages/{path}', { path: { path: 'garden' } });
  const found = await wiki.request('GET /v1/pages', { query: { ancestor: '/garden', limit: 5 } });
  const saved = await wiki.edit('/garden', { body: 'Roses', base: 3 });
  const theirs = saved.ok ? saved.version : saved.theirs.change;

  // @ts-expect-error: there is no such path.
  await wiki.request('GET /v1/page/{path}', { path: { path: 'garden' } });
  // @ts-expect-error: nor such a method of it.
  await wiki.request('PATCH /v1/pages/{path}', { path: { path: 'garden' } });
  // @ts-expect-error: the path lacks its parameter.
  await wiki.request('GET /v1/pages/{path}');
  // @ts-expect-error: it has another one.
  await wiki.request('GET /v1/pages/{path}', { path: { id: 3 } });
  // @ts-expect-error: there is no such field.
  await wiki.request('POST /v1/pages', { body: { title: 'Garden', text: 'Roses' } });
  // @ts-expect-error: the field has another type.
  await wiki.request('POST /v1/pages', { body: { title: 3 } });
  // @ts-expect-error: a needed field is missing.
  await wiki.request('POST /v1/tokens', { body: { name: 'Bot' } });
  // @ts-expect-error: there is no such parameter.
  await wiki.request('GET /v1/pages', { query: { below: '/garden' } });
  // @ts-expect-error: the parameter is a number.
  await wiki.request('GET /v1/pages', { query: { limit: 'all' } });
  // @ts-expect-error: there is no such field in the answer.
  console.log(found[0]?.name);
  // @ts-expect-error: not a list.
  for await (const one of wiki.list('GET /v1/members/me')) console.log(one);

  return [page.title, found[0]?.path, theirs];
}
