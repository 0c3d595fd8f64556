/** Browsers without scripts, for tests of the site. They keep cookies and send forms as browsers do. */
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { expect } from 'vitest';
import { multipartOf, type PageAnswer, startApp, type TestApp } from './http.ts';
import { tokenFor } from './sessions.ts';

export const passphrase = 'a passphrase for tests';

export interface Shown {
  status: number;
  headers: Record<string, unknown>;
  text: string;
  location: string | undefined;
}

export interface Visitor {
  get(url: string, headers?: Record<string, string>): Promise<Shown>;
  /** Submits a form, as multipart if there are `files`. */
  post(
    url: string,
    fields: Record<string, string>,
    more?: { headers?: Record<string, string>; files?: { name: string; bytes: Buffer }[] },
  ): Promise<Shown>;
  cookies: Map<string, string>;
}

export interface TestSite extends TestApp {
  visitor(): Visitor;
  /** The page at a path, as the API returns it for this token. */
  pageAt(path: string, token: string): Promise<PageAnswer>;
  /** Creates a member and returns a visitor who is signed in as this member. */
  signedIn(
    name: string,
    options?: { isAdmin?: boolean },
  ): Promise<Visitor & { token: string; id: number; email: string }>;
}

export async function startSite(
  environment: Record<string, string> = {},
  more: Parameters<typeof startApp>[1] = {},
): Promise<TestSite> {
  const test = await startApp(environment, more);
  const host = environment.COPPICE_URL ? new URL(environment.COPPICE_URL).host : 'wiki.test';
  const visitor = () => visitorOf(test, host);
  return {
    ...test,
    visitor,
    async pageAt(path, token) {
      const answer = await test.call('GET', `/v1/pages${path}`, { token });
      expect(answer.status, path).toBe(200);
      return answer.json.page;
    },
    async signedIn(name, options) {
      const { token, id, email } = await test.member(name, options);
      const one = visitor();
      const now = more.clock?.() ?? Date.now();
      one.cookies.set('coppice', await tokenFor(test.app.service, id, { now, isBrowser: true }));
      return { ...one, token, id, email };
    },
  };
}

function visitorOf({ app }: TestApp, host: string): Visitor {
  const cookies = new Map<string, string>();
  const ask = async (
    method: 'GET' | 'POST',
    url: string,
    headers: Record<string, string>,
    payload?: string | Buffer,
  ): Promise<Shown> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await app.server.inject({
      method,
      url,
      headers: { host, ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(payload === undefined ? {} : { payload }),
    });
    for (const { name, value } of answer.cookies) {
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    expect(answer.statusCode, `${method} ${url}: ${answer.payload.slice(0, 2000)}`).not.toBe(500);
    const { location } = answer.headers;
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.payload,
      location: location as string | undefined,
    };
  };
  return {
    cookies,
    get: (url, headers = {}) => ask('GET', url, headers),
    post: (url, fields, { headers = {}, files } = {}) => {
      const own = { origin: 'http://wiki.test', 'sec-fetch-site': 'same-origin', ...headers };
      if (!files) {
        const type = { 'content-type': 'application/x-www-form-urlencoded' };
        return ask('POST', url, { ...type, ...own }, new URLSearchParams(fields).toString());
      }
      const { body, headers: type } = multipartOf([
        ...Object.entries(fields).map(([name, value]) => ({ name, value })),
        ...files.map(({ name, bytes }) => ({ name: 'file', filename: name, value: bytes })),
      ]);
      return ask('POST', url, { ...type, ...own }, body);
    },
  };
}

export type Element = DefaultTreeAdapterTypes.Element;

export function elementsOf(text: string): Element[] {
  const found: Element[] = [];
  const walk = (node: DefaultTreeAdapterTypes.Node) => {
    if ('tagName' in node) found.push(node);
    if ('childNodes' in node) for (const child of node.childNodes) walk(child);
    if ('content' in node) walk(node.content);
  };
  walk(parse(text));
  return found;
}

/** First element for which `holds` returns true. */
export function elementWhere(text: string, holds: (element: Element) => boolean): Element {
  const found = elementsOf(text).find(holds);
  if (!found) throw new Error('There is no such element.');
  return found;
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value;
}

/** Values of a form's fields, as a browser would send them. */
export function formFields(text: string, id: string): Record<string, string> {
  const form = elementsOf(text).find((element) => attribute(element, 'id') === id);
  if (!form) throw new Error(`There is no form #${id}.`);
  const fields: Record<string, string> = {};
  const walk = (element: Element) => {
    const name = attribute(element, 'name');
    const type = attribute(element, 'type');
    if (name !== undefined && element.tagName === 'input' && !['file', 'submit'].includes(type ?? '')) {
      const isChoice = type === 'radio' || type === 'checkbox';
      if (!isChoice || attribute(element, 'checked') !== undefined)
        fields[name] = attribute(element, 'value') ?? '';
    }
    if (name !== undefined && element.tagName === 'textarea') fields[name] = textOf(element);
    if (name !== undefined && element.tagName === 'select') {
      const options = element.childNodes.filter((node): node is Element => 'tagName' in node);
      const chosen = options.find((option) => attribute(option, 'selected') !== undefined) ?? options[0];
      if (chosen) fields[name] = attribute(chosen, 'value') ?? textOf(chosen);
    }
    for (const child of element.childNodes) if ('tagName' in child) walk(child);
  };
  walk(form);
  return fields;
}

export function textOf(node: DefaultTreeAdapterTypes.Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}
