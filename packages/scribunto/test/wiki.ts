/** A few pages in memory, expanded round by round as in the wiki. */
import { expand } from '@coppice/wikitext';
import { Modules } from '../src/modules.ts';

const shared = new Modules();

export interface Shown {
  text: string;
  problems: string[];
  rounds: number;
  /** Names of all pages requested. */
  asked: string[];
  usedTime: boolean;
}

/** `pages` maps names to bodies; those of `Module:…` are programs. */
export function show(body: string, pages: Record<string, string>, modules = shared, title = 'Start'): Shown {
  const templates = new Map<string, string | null>();
  const exists = new Map<string, boolean>();
  for (let rounds = 1; rounds <= 40; rounds++) {
    const run = modules.begin();
    let usedTime = false;
    const { text, needs } = expand(body, {
      page: { title, path: '/start', id: 7 },
      templates,
      exists,
      listings: new Map(),
      get now() {
        usedTime = true;
        return Date.UTC(2026, 4, 3, 2, 1);
      },
      siteName: 'Valley',
      server: 'https://example.org',
      // The time limit of expansion would count what others do on a busy machine.
      clock: () => 0,
      functions: new Map([['#invoke', run.invoke]]),
    });
    if (needs.templates.length + needs.exists.length === 0)
      return {
        text,
        problems: run.problems(),
        rounds,
        asked: [...templates.keys(), ...exists.keys()],
        usedTime,
      };
    for (const name of needs.templates) templates.set(name, pages[name] ?? null);
    for (const name of needs.exists) exists.set(name, name in pages);
  }
  throw new Error('The page asks for more without end.');
}

/** Result of a module function with this body, which can use `frame`. */
export function say(
  code: string,
  pages: Record<string, string> = {},
  call = '{{#invoke:Test|main}}',
): string {
  const { text, problems } = show(call, {
    ...pages,
    'Module:Test': `return { main = function(frame) ${code} end }`,
  });
  return problems.length > 0 ? `! ${problems.join(' ')}` : text;
}
