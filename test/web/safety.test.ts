/** The site under attack: markup in every field, and leaks of private pages. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { multipartOf } from '../support/http.ts';
import {
  attribute,
  elementsOf,
  elementWhere,
  formFields,
  startSite,
  type TestSite,
  textOf,
} from '../support/web.ts';

const attacks = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)`,
  `</title></textarea></script><svg/onload=alert(1)>`,
  `javascript:alert(1)`,
  `<a href="javascript:alert(1)" onclick=alert(1)>x</a><iframe srcdoc="<script>alert(1)</script>"></iframe>`,
  `]]></script><!--<script>`,
  `{{{<style>*{display:none}</style>}}}`,
];
const together = attacks.join(' ');

describe('markup in every field', () => {
  let site: TestSite;
  let mallory: Awaited<ReturnType<TestSite['signedIn']>>;
  let path: string;

  beforeAll(async () => {
    site = await startSite({ COPPICE_NAME: '<b onclick=alert(1)>Wiki' });
    mallory = await site.signedIn('Mallory', { isAdmin: true });
    await site.app.service.store.members.update(mallory.id, {
      name: `Mallory "><img src=x onerror=alert(1)>`,
    });
    const page = await site.page(mallory.token, {
      title: together.slice(0, 255),
      slug: 'evil',
      description: together.slice(0, 280),
      type: attacks[1],
      body: `${together}\n[[${attacks[3]}]] [[Key"onx='1:${attacks[1]}]] [[Tag:"><script>alert(1)</script>]]\n== ${attacks[1]} ==\nx\n== ${attacks[2]} ==\ny\n== ${attacks[0]} ==\n[javascript:alert(1) x] [[File:"><script>.png|thumb|${attacks[1]}]]`,
      msg: together,
      image: 'javascript:alert(1)',
      data: { evil: together },
      location: { lat: 1, lon: 2 },
    });
    path = page.path;
    const form = formFields((await mallory.get(`/edit${path}`)).text, 'page-form');
    const saved = await mallory.post(
      `/edit${path}`,
      { ...form, msg: attacks[1] ?? '', intent: 'save' },
      {
        files: [
          {
            name: `'><img src=x onerror=alert(1)>.svg`,
            bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
          },
        ],
      },
    );
    expect(saved.status).toBe(303);
    await site.page(mallory.token, {
      title: `<i>child</i> "'`,
      parent: path,
      body: `[[${path}]] [[wanted "><script>alert(1)</script>]]`,
    });
  });
  afterAll(() => site.close());

  /** The page runs no scripts, loads nothing from other sites, and submits to none. */
  function expectHarmless(url: string, text: string): void {
    for (const element of elementsOf(text)) {
      const shown = `${url}: <${element.tagName} ${element.attrs.map(({ name, value }) => `${name}="${value}"`).join(' ')}>`;
      expect(['iframe', 'object', 'embed', 'base', 'style', 'frame', 'applet'], shown).not.toContain(
        element.tagName,
      );
      if (element.tagName === 'script') {
        if (attribute(element, 'type') === 'application/ld+json')
          expect(() => JSON.parse(textOf(element)), shown).not.toThrow();
        else expect(attribute(element, 'src'), shown).toMatch(/^\/assets\/[\w-]+\/[\w-]+\.js$/);
      }
      for (const { name, value } of element.attrs) {
        expect(name, shown).not.toMatch(/^on|^srcdoc$|^http-equiv$/);
        if (['href', 'src', 'action', 'formaction', 'poster', 'xlink:href'].includes(name)) {
          expect(
            value
              .trim()
              .toLowerCase()
              .replace(/[\s\0]/g, ''),
            shown,
          ).not.toMatch(/^(javascript|vbscript|data):/);
        }
      }
    }
  }

  test('stays text on every page, for everybody', async () => {
    const shown = await mallory.get(path);
    expect(shown.status).toBe(200);
    const versions = [...(await mallory.get(`/history${path}`)).text.matchAll(/version=(\d+)/g)].map(
      ([, id]) => id,
    );
    const q = encodeURIComponent(together);
    const urls = [
      '/',
      path,
      `${path}?version=${versions.at(-1)}`,
      `/history${path}`,
      `/diff${path}`,
      `/diff${path}?view=inline`,
      `/diff${path}?from=${versions.at(-1)}&to=${versions[0]}`,
      '/updates',
      '/wanted',
      '/map',
      '/tree',
      `/tree${path}`,
      `/tree${path}?part=list`,
      `/preview${path}`,
      `/edit${path}`,
      `/move${path}`,
      '/members',
      '/account',
      `/search?text=alert`,
      `/search?text=${q}&title=${q}&type=${q}&tag=${q}&ancestor=${q}&path=${q}&order=${q}&logic=${q}`,
      `/search?type=${encodeURIComponent(attacks[1] ?? '')}`,
      `/new?title=${q}&path=${q}&parent=${q}&type=${q}&body=${q}`,
      `/login?next=${q}`,
      `/${encodeURIComponent(attacks[1] ?? '')}`,
      `/nowhere/${encodeURIComponent(attacks[0] ?? '')}`,
      `/updates?below=${q}`,
      `/edit/${encodeURIComponent(attacks[0] ?? '')}`,
      `/invite/${q}`,
      `/setup/${encodeURIComponent(attacks[4] ?? '')}`,
      `/edit${path}?section=${q}`,
      `/map?lat=${q}&lon=${q}`,
      `/sitemaps/${encodeURIComponent(attacks[1] ?? '')}`,
    ];
    for (const who of [mallory, site.visitor()]) {
      for (const url of urls) {
        const { text } = await who.get(url);
        expectHarmless(url, text);
      }
    }
  });

  test('stays text in previews, refused forms and stored forms', async () => {
    const fields = {
      title: together,
      body: together,
      description: together,
      type: together,
      parent: together,
      path: together,
      msg: together,
      data: together,
      image: together,
      lat: together,
      lon: together,
      place: 'given',
      permissions: together,
      format: together,
    };
    for (const [url, intent] of [
      ['/new', 'preview'],
      ['/new', 'save'],
      [`/edit${path}`, 'preview'],
      [`/edit${path}`, 'save'],
      [`/move${path}`, 'preview'],
    ] as const) {
      expectHarmless(url, (await mallory.post(url, { ...fields, intent })).text);
    }
    const stranger = site.visitor();
    for (const url of ['/new', `/edit${path}`]) {
      const kept = await stranger.post(url, { ...fields, intent: 'save' });
      expect(kept.status).toBe(401);
      expectHarmless(url, kept.text);
    }
    expectHarmless(
      '/login',
      (await stranger.post('/login', { email: together, pass: together, next: together })).text,
    );
    expectHarmless('/account', (await mallory.post('/account', { what: 'name', name: together })).text);
  });

  test('is well-formed text in feeds and site maps', async () => {
    for (const url of ['/atom', `/atom/updates${path}`, `/atom/history${path}`, '/sitemap.xml']) {
      const { text } = await site.visitor().get(url);
      expect(text, url).not.toMatch(/<(script|img|svg|a)\b/i);
      // Every `&` begins an entity that XML defines.
      expect(text, url).not.toMatch(/&(?!(amp|lt|gt|quot|#39);)/);
    }
  });

  test('uploads that could run are only ever downloaded', async () => {
    const { text } = await mallory.get(path);
    const file = elementWhere(text, (element) => attribute(element, 'href')?.startsWith('/files/') === true);
    const served = await mallory.get(attribute(file, 'href') ?? '');
    expect(served.headers['content-disposition']).toMatch(/^attachment/);
    expect(served.headers['x-content-type-options']).toBe('nosniff');
  });

  test('every page has a policy that forbids foreign scripts', async () => {
    for (const url of ['/', path, '/account', '/nothing/here', `/edit${path}`]) {
      const policy = String((await mallory.get(url)).headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).toContain("form-action 'self'");
      expect(policy.includes("'nonce-"), url).toBe(url.startsWith('/edit'));
      expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|script-src[^;]*data:|\*/);
    }
  });
});

test('an invalid picture address, notice or host does not prevent a page from being shown', async () => {
  const site = await startSite();
  try {
    const ada = await site.signedIn('Ada');
    for (const [index, image] of ['https://[', 'https://example.org:999999/x.png', 'https://%/'].entries()) {
      const { path } = await site.page(ada.token, { title: `Picture ${index}`, body: 'x', image });
      const shown = await site.visitor().get(path);
      expect(shown.status).toBe(200);
      expect(shown.text).not.toContain('og:image');
    }
    for (const notice of ['toString', '__proto__', 'constructor']) {
      const visitor = site.visitor();
      visitor.cookies.set('notice', notice);
      expect((await visitor.get('/tree')).text).toMatch(/id="notice" hidden><\/p>/);
    }
    for (const host of ['a b', '[', 'somebody@wiki.test', 'wiki.test"><x', 'wiki.test/x']) {
      expect((await site.visitor().get('/search?text=a', { host })).status, host).toBe(400);
    }
    for (const host of ['wiki.test:8080', '[::1]:8080', '127.0.0.1', 'a_b.test']) {
      expect((await site.visitor().get('/search?text=a', { host })).status, host).toBe(200);
    }
  } finally {
    await site.close();
  }
});

test('an address that is not percent-encoded UTF-8 is refused with a page, and with JSON for programs', async () => {
  const site = await startSite();
  try {
    for (const path of ['/%ff', '/garden/%zz?x=%']) {
      const { status, text, headers } = await site.visitor().get(path);
      expect([status, headers['content-type']]).toEqual([400, 'text/html; charset=utf-8']);
      expect(text).toContain('</footer>');
      expect(text).toContain('not valid percent-encoded UTF-8');
    }
    const { statusCode, headers } = await site.app.server.inject('/v1/pages/%ff');
    expect([statusCode, headers['content-type']]).toEqual([400, 'application/problem+json; charset=utf-8']);
  } finally {
    await site.close();
  }
});

test('a form that is not UTF-8 is refused with a page instead of being misread', async () => {
  const site = await startSite();
  try {
    const { cookies } = await site.signedIn('Ada');
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const type = 'application/x-www-form-urlencoded';
    for (const { body, headers } of [
      { body: Buffer.from('title=Lost&intent=save&body=caf%E9'), headers: { 'content-type': type } },
      multipartOf([
        { name: 'title', value: 'Lost' },
        { name: 'intent', value: 'save' },
        { name: 'body', value: Buffer.from('caf\xe9', 'latin1') },
      ]),
    ]) {
      const { statusCode, payload } = await site.app.server.inject({
        method: 'POST',
        url: '/new',
        headers: { host: 'wiki.test', 'sec-fetch-site': 'same-origin', cookie, ...headers },
        payload: body,
      });
      expect([statusCode, payload]).toEqual([400, expect.stringContaining('UTF-8')]);
    }
    expect((await site.call('GET', '/v1/checkpath/lost')).json).toEqual({ ok: true });
  } finally {
    await site.close();
  }
});

test('two wikis that differ only in private pages look the same to strangers and other members, byte for byte', async () => {
  let now = Date.UTC(2026, 4, 1);
  const clock = () => now;
  const sites = [await startSite({}, { clock }), await startSite({}, { clock })] as const;
  try {
    const others: Awaited<ReturnType<TestSite['signedIn']>>[] = [];
    for (const [index, site] of sites.entries()) {
      now = Date.UTC(2026, 4, 1);
      const ada = await site.signedIn('Ada', { isAdmin: true });
      const bob = await site.signedIn('Bob');
      others.push(bob);
      await site.page(ada.token, {
        title: 'Home',
        path: '/home',
        body: '[[Garden]] [[Secret plan]] [[Wanted]]',
      });
      await site.page(ada.token, {
        title: 'Garden',
        body: '[[Location:1, 1]] Green. [[Season:summer]] [[Home]]',
      });
      await site.page(ada.token, { title: 'Roses', parent: '/garden', body: 'Red. [[Secret plan]]' });
      if (index === 0) continue;
      const hidden = { permissions: 700, parent: '/garden', type: 'Plot' };
      await site.page(ada.token, {
        ...hidden,
        title: 'Secret plan',
        body: '[[Location:1.001, 1]] Green [[Home]] [[Garden]] [[Wanted]] [[Hidden wish]] [[Season:secret]]',
      });
      await site.page(ada.token, {
        ...hidden,
        title: 'Home',
        slug: 'other-home',
        parent: '/garden/secret-plan',
        body: 'Green. [[Roses]]',
      });
      await site.page(ada.token, { ...hidden, title: 'At the root', parent: null, body: 'Green [[Garden]]' });
    }
    now += 60_000;
    const urls = [
      '/',
      '/home',
      '/garden',
      '/garden/roses',
      '/garden/secret-plan',
      '/garden/secret-plan/other-home',
      '/at-the-root',
      '/history/garden',
      '/diff/garden',
      '/history/garden/secret-plan',
      '/updates',
      '/updates?below=/garden',
      '/updates?below=/garden/secret-plan',
      '/wanted',
      '/tree',
      '/tree/garden',
      '/tree/garden?part=list',
      '/tree/garden/secret-plan',
      '/map',
      '/map?lat=1&lon=1',
      '/map/places',
      '/search?text=green',
      '/search?text=green&order=alphabetical',
      '/search?type=Plot',
      '/search?tag=season:secret',
      '/search?ancestor=/garden',
      '/search?ancestor=/garden/secret-plan',
      '/search?title=secret',
      '/search/titles?text=secret',
      '/search/titles?text=home',
      '/search/words?text=s',
      '/search/words?text=season:s',
      '/search/words?text=type:P',
      '/search/parameters?path=/garden/secret-plan',
      '/search/parameters?path=/garden',
      '/search/parameters?path=/garden&values=on',
      '/gadren/secret-plna',
      '/garden/secret-pan/x',
      '/preview/garden/secret-plan',
      '/preview/garden',
      '/atom',
      '/atom/updates/garden',
      '/atom/updates/garden/secret-plan',
      '/atom/history/garden',
      '/atom/history/garden/secret-plan',
      '/sitemap.xml',
      '/sitemaps/0.xml',
      '/robots.txt',
      '/secret',
      '/edit/garden/secret-plan',
      '/move/garden/secret-plan',
      '/garden/roses?version=5',
      '/diff/garden?to=5',
    ];
    for (const who of ['stranger', 'member'] as const) {
      const [a, b] = who === 'stranger' ? sites.map((site) => site.visitor()) : others;
      if (!a || !b) throw new Error('There are two.');
      for (const url of urls) {
        const [one, two] = [await a.get(url), await b.get(url)];
        expect(two.status, `${who} ${url}`).toBe(one.status);
        expect(two.text, `${who} ${url}`).toBe(one.text);
      }
    }
  } finally {
    for (const site of sites) await site.close();
  }
});
