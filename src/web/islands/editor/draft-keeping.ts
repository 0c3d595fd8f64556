/** Keeps what is being written every two seconds and on leaving, and offers what was left behind, with what differs. */
import { diffBodies } from '#domain/content/diff.ts';
import { button, element } from '../element.ts';
import { timeElement } from '../site/local-times.ts';
import { diffTable } from './diff-table.ts';
import { type Draft, liveElsewhere, openDrafts } from './draft-store.ts';

export interface Written {
  base: string;
  fields: [string, string][];
  files: File[];
}

export interface DraftKeepingOptions {
  key: string;
  author: string;
  read(): Written;
  write(draft: Written): void;
  /** Where the offer stands. */
  place: HTMLElement;
}

export interface DraftKeeping {
  /** Something was written. */
  touch(): void;
  isDirty(): boolean;
  /** The page is saved: nothing of it is a draft any more. */
  drop(): Promise<void>;
  /** Kept for the last time, as the page is left for one that knows the form. True: with the files. */
  keepLast(): Promise<boolean>;
  /** The form came back from the server, or was written in before: what it holds is unsaved. */
  carryOn(): void;
}

const everyMs = 2000;
/** Fields that say where a form came from, or that nobody typed. */
const unwritten = new Set([
  'base',
  'path-was',
  'parent-was',
  'section',
  'move-seen',
  'intent',
  'held-file',
  'drop-file',
]);

export function keepDrafts({ key, author, read, write, place }: DraftKeepingOptions): DraftKeeping {
  const store = openDrafts();
  const id = `${Date.now().toString(36)}-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
  const others = liveElsewhere(id);
  const start = signature(read());
  let isTouched = false;
  let isOver = false;
  let isForcedDirty = false;
  let keeping: Promise<void> = Promise.resolve();

  const draft = (): Draft => ({
    id,
    key,
    author,
    at: Date.now(),
    title: titleNow(),
    url: location.pathname + location.search,
    ...read(),
  });
  const isDirty = () => !isOver && (isForcedDirty || signature(read()) !== start);

  async function keep(): Promise<void> {
    if (!isTouched || isOver) return;
    isTouched = false;
    const now = draft();
    try {
      if (signature(now) === start && !isForcedDirty) await store.drop(id);
      else await store.keep(now);
    } catch {
      store.keepNow(now);
    }
  }
  const timer = setInterval(() => {
    keeping = keeping.then(keep);
  }, everyMs);

  const leave = () => {
    if (isTouched && isDirty()) store.keepNow(draft());
  };
  addEventListener('pagehide', leave);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'hidden') return;
    leave();
    keeping = keeping.then(keep);
  });
  addEventListener('beforeunload', (event) => {
    if (!isDirty()) return;
    leave();
    event.preventDefault();
  });

  void offer();
  async function offer(): Promise<void> {
    let found: Draft[];
    try {
      found = await store.find(key, author);
    } catch {
      return;
    }
    if (found.length === 0) return;
    const live = await others.ask();
    for (const one of found) {
      if (one.id === id || live.has(one.id)) continue;
      const now = read();
      if (signature(one) === signature(now)) await store.drop(one.id);
      else
        return show(
          one,
          found.filter((other) => other.id !== one.id && !live.has(other.id) && other.id !== id).length,
        );
    }
  }

  function show(found: Draft, older: number): void {
    const now = read();
    const body = (written: Written) => written.fields.find(([name]) => name === 'body')?.[1] ?? '';
    const others = changedFields(now, found);
    const words = [
      found.files.length > 0 && (found.files.length === 1 ? '1 file' : `${found.files.length} files`),
      others.length > 0 && others.join(', '),
    ]
      .filter(Boolean)
      .join('; ');
    const differs = element('details', { class: 'draft-diff' }, element('summary', {}, 'Show what differs'));
    differs.addEventListener('toggle', () => {
      if (differs.open && differs.children.length === 1)
        differs.append(diffTable(diffBodies(body(now), body(found)), 'here', 'in the draft'));
    });
    const isOlder = found.base !== now.base;
    const banner = element(
      'section',
      { class: 'banner draft-offer', 'aria-label': 'Unsaved text' },
      element(
        'p',
        {},
        'You have written here before without saving, ',
        timeElement(found.at),
        '.',
        isOlder ? ' The page was changed since; saving puts both together.' : undefined,
        words ? ` Besides the text: ${words}.` : undefined,
        older > 0 ? ` There ${older === 1 ? 'is 1 older draft' : `are ${older} older drafts`}.` : undefined,
      ),
      differs,
      element(
        'div',
        { class: 'buttons' },
        button('Go on with it', { class: 'button' }, () => {
          write(found);
          // From here on it is this tab's.
          isTouched = isForcedDirty = true;
          void keep().then(() => store.drop(found.id));
          banner.remove();
        }),
        button('Throw it away', {}, () => {
          void store.drop(found.id).then(offer);
          banner.remove();
        }),
      ),
    );
    place.prepend(banner);
  }

  return {
    touch() {
      isTouched = true;
    },
    isDirty,
    async drop() {
      isOver = true;
      clearInterval(timer);
      removeEventListener('pagehide', leave);
      others.close();
      await keeping.catch(() => {});
      await store.drop(id).catch(() => {});
    },
    async keepLast() {
      const last = draft();
      store.keepNow(last);
      isOver = true;
      await keeping.catch(() => {});
      return store.keep(last).catch(() => false);
    },
    carryOn() {
      isTouched = isForcedDirty = true;
    },
  };
}

function titleNow(): string {
  return document.querySelector<HTMLInputElement>('#page-form [name=title]')?.value.trim() ?? '';
}

/** Whatever the order of the fields: parts of the form move with the width of the screen. */
export function signature({ fields, files }: Written): string {
  const typed = fields
    .filter(([name]) => !unwritten.has(name))
    .map(([name, value]) => `${name} ${value.replace(/\r\n?/g, '\n')}`)
    .sort();
  return JSON.stringify([typed, files.map(({ name, size }) => [name, size])]);
}

function changedFields(a: Written, b: Written): string[] {
  const was = new Map(a.fields);
  const names: Record<string, string> = {
    msg: 'message',
    lat: 'place',
    lon: 'place',
    path: 'address',
    'permissions-code': 'permissions',
  };
  const changed = b.fields
    .filter(([name, value]) => name !== 'body' && !unwritten.has(name) && was.get(name) !== value)
    .map(([name]) => names[name] ?? name);
  return [...new Set(changed)];
}
