/**
 * A small wiki in memory that answers by brute force: what the real one is held against. It knows nothing of
 * tables, counts or indexes; every answer is computed from the pages alone.
 */

import { childPath, slugOf } from '#domain/pages/path.ts';
import { type Actor, may } from '#domain/permission.ts';
import { metresBetween } from '#domain/places/distance.ts';
import { sortKey, titleKey } from '#domain/search/fold.ts';

/** Parts of a body, so that the model need not parse wikitext. */
export interface Body {
  links: string[];
  tags: [key: string, value: string][];
  location: { lat: number; lon: number } | null;
  words: string[];
}

export interface ModelPage {
  id: number;
  title: string;
  slug: string;
  path: string;
  parentId: number | null;
  permissions: number;
  group: { id: number } | null;
  ownerId: number;
  body: Body;
  updatedAt: number;
  files: Files;
  /** The first change that all readers may see. */
  historyFrom: number;
  history: { id: number; title: string; body: Body; files: Files }[];
}

/** Content of each file, by its name. */
export type Files = Readonly<Record<string, string>>;

export interface Deletion {
  id: number;
  pages: ModelPage[];
  /** Ancestors of the page at that time, root first. */
  trail: number[];
}

export function bodyText(body: Body): string {
  return [
    ...body.links.map((target) => `See [[${target}]].`),
    ...body.tags.map(([key, value]) => `[[${key}:${value}]]`),
    ...(body.location ? [`[[Location:${body.location.lat}, ${body.location.lon}]]`] : []),
    body.words.join(' '),
  ].join('\n\n');
}

/** A page is given to a group that one is in; naming the one that it is of changes nothing. */
function mayName(
  actor: NonNullable<Actor>,
  group: { id: number } | null,
  before: { id: number } | null,
): boolean {
  return (
    group === null || group.id === before?.id || actor.isAdmin || (actor.groupIds ?? []).includes(group.id)
  );
}

export class Model {
  pages = new Map<number, ModelPage>();
  /** Former paths of pages, oldest first: readers who cannot see the present page at one are led to the last former one. */
  aliases: { path: string; id: number }[] = [];

  /** Deletions, oldest first; the page that was deleted is the first of each. */
  trash: Deletion[] = [];

  at(path: string): ModelPage | undefined {
    return [...this.pages.values()].find((page) => page.path === path);
  }

  create(
    actor: NonNullable<Actor>,
    input: {
      title: string;
      parentId: number | null;
      permissions: number;
      group: { id: number } | null;
      body: Body;
    },
  ) {
    const parent = input.parentId === null ? null : this.pages.get(input.parentId);
    if (parent && !this.sees(actor, parent)) return 'invalid';
    const slug = slugOf(input.title);
    const path = childPath(parent?.path ?? null, slug);
    if (!mayName(actor, input.group, null)) return 'invalid';
    if (this.at(path)) return 'path-taken';
    return (id: number, changeId: number, now: number) => {
      const { title, body, permissions, group, parentId } = input;
      const files = {};
      const history = [{ id: changeId, title, body, files }];
      this.pages.set(id, {
        id,
        title,
        slug,
        path,
        parentId,
        permissions,
        group,
        ownerId: actor.memberId,
        body,
        updatedAt: now,
        files,
        historyFrom: 0,
        history,
      });
    };
  }

  edit(
    actor: NonNullable<Actor>,
    page: ModelPage,
    fields: {
      title?: string;
      body?: Body;
      permissions?: number;
      group?: { id: number } | null;
      parentId?: number | null;
      slug?: string;
      files?: Files;
      history?: 'from now' | 'all';
    },
  ) {
    if (!may(actor, 'write', page)) return 'not-permitted';
    const foreign =
      (fields.permissions !== undefined && fields.permissions !== page.permissions) ||
      (fields.group !== undefined && fields.group?.id !== page.group?.id);
    if (foreign && !actor.isAdmin && actor.memberId !== page.ownerId) return 'not-permitted';
    if (fields.history && !actor.isAdmin && actor.memberId !== page.ownerId) return 'not-permitted';
    if (!mayName(actor, fields.group ?? null, page.group)) return 'invalid';
    const parentId = fields.parentId === undefined ? page.parentId : fields.parentId;
    const parent = parentId === null ? null : this.pages.get(parentId);
    // One that is named as it already is need not be seen.
    if (parentId !== page.parentId && parent && !this.sees(actor, parent)) return 'invalid';
    if (parent && (parent.id === page.id || this.lineage(parent).some(({ id }) => id === page.id)))
      return 'path-loop';
    const slug = fields.slug ?? page.slug;
    const isReplaced = slug !== page.slug || parentId !== page.parentId;
    const path = isReplaced ? childPath(parent?.path ?? null, slug) : page.path;
    const moves = new Map<number, string>();
    if (path !== page.path) {
      moves.set(page.id, path);
      for (const below of this.pages.values()) {
        const isDescendant = this.lineage(below).some(({ id }) => id === page.id);
        if (isDescendant && below.path.startsWith(`${page.path}/`)) {
          moves.set(below.id, path + below.path.slice(page.path.length));
        }
      }
    }
    for (const target of moves.values()) {
      const there = this.at(target);
      if (there && !moves.has(there.id)) return 'path-taken';
    }
    const { title = page.title, body = page.body, permissions = page.permissions } = fields;
    const { files = page.files, group = page.group } = fields;
    const textOf = (files: Files) => JSON.stringify(Object.entries(files).sort());
    const isKept =
      fields.history === undefined &&
      moves.size === 0 &&
      parentId === page.parentId &&
      title === page.title &&
      permissions === page.permissions &&
      group?.id === page.group?.id &&
      textOf(files) === textOf(page.files) &&
      bodyText(body) === bodyText(page.body);
    return (changeId: number, now: number) => {
      // The page is what it was: there is no change to know of.
      if (isKept) return;
      for (const [id, target] of moves) {
        const moved = this.pages.get(id);
        if (!moved) continue;
        this.aliases.push({ path: moved.path, id });
        moved.path = target;
      }
      Object.assign(page, {
        title,
        body,
        permissions,
        group,
        parentId,
        slug,
        files,
        updatedAt: Math.max(now, page.updatedAt),
      });
      page.history.push({ id: changeId, title, body, files });
      if (fields.history) page.historyFrom = fields.history === 'all' ? 0 : changeId;
      if (fields.history === 'from now') this.aliases = this.aliases.filter(({ id }) => id !== page.id);
    };
  }

  delete(actor: NonNullable<Actor>, page: ModelPage, subtree: boolean) {
    if (!this.sees(actor, page)) return this.missing(actor, page.path);
    if (!may(actor, 'write', page)) return 'not-permitted';
    const beneath = [...this.pages.values()].filter((one) =>
      this.lineage(one).some(({ id }) => id === page.id),
    );
    if (!subtree && beneath.some((one) => this.sees(actor, one))) return 'pages-beneath';
    if (beneath.some((one) => !may(actor, 'write', one))) return 'not-permitted';
    const trail = this.lineage(page).map(({ id }) => id);
    // Parents before their children, as they come back.
    const pages = [page, ...beneath].toSorted(
      (a, b) => this.lineage(a).length - this.lineage(b).length || a.id - b.id,
    );
    return (id: number) => {
      for (const one of pages) this.pages.delete(one.id);
      this.trash.push({ id, pages, trail });
    };
  }

  restore(actor: NonNullable<Actor>, deletion: Deletion, path: string | undefined) {
    const { pages, trail } = deletion;
    const [top] = pages as [ModelPage];
    if (!this.sees(actor, top)) return 'not-found';
    if (pages.some((page) => !may(actor, 'write', page))) return 'not-permitted';
    const to = path ?? top.path;
    const paths = pages.map((page) =>
      page === top || page.path.startsWith(`${top.path}/`)
        ? to + page.path.slice(top.path.length)
        : page.path,
    );
    if (paths.some((one, i) => this.at(one) || paths.indexOf(one) !== i)) return 'path-taken';
    const parentId = trail.findLast((id) => this.pages.has(id)) ?? null;
    return () => {
      this.trash = this.trash.filter((one) => one !== deletion);
      for (const [i, page] of pages.entries()) {
        const at = paths[i] as string;
        if (at !== page.path) this.aliases.push({ path: page.path, id: page.id });
        page.path = at;
        this.pages.set(page.id, page);
      }
      top.parentId = parentId;
    };
  }

  /** How a read of a page that the actor does not see is refused: `gone` if they saw one that was deleted there. */
  missing(actor: Actor, path: string): 'not-found' | 'gone' {
    if (this.movedFrom(actor, path)) return 'not-found';
    const lived = new Set(this.aliases.filter((alias) => alias.path === path).map(({ id }) => id));
    const deleted = this.trash.flatMap(({ pages }) => pages);
    return deleted.some((page) => (page.path === path || lived.has(page.id)) && this.sees(actor, page))
      ? 'gone'
      : 'not-found';
  }

  sees(actor: Actor, page: ModelPage): boolean {
    return may(actor, 'read', page);
  }

  /** Tells whether the actor, who sees the page, sees this change. */
  seesChange(actor: Actor, page: ModelPage, changeId: number): boolean {
    return actor?.isAdmin || actor?.memberId === page.ownerId || changeId >= page.historyFrom;
  }

  visible(actor: Actor): ModelPage[] {
    return [...this.pages.values()].filter((page) => this.sees(actor, page));
  }

  /** Root first. */
  lineage(page: ModelPage): ModelPage[] {
    const parent = page.parentId === null ? undefined : this.pages.get(page.parentId);
    return parent ? [...this.lineage(parent), parent] : [];
  }

  /** Absolute path of a relative target of this page at its present path. */
  meant(page: ModelPage, target: string): string {
    if (!target.startsWith('.')) return target;
    const segments = page.path.split('/').slice(1);
    for (const part of target.split('/')) {
      if (part === '..') segments.pop();
      else if (part !== '.') segments.push(part);
    }
    return `/${segments.join('/')}`;
  }

  resolve(actor: Actor, target: string): ModelPage | undefined {
    const visible = this.visible(actor).toSorted((a, b) => a.id - b.id);
    if (target.startsWith('/')) {
      return visible.find((page) => page.path === target) ?? this.movedFrom(actor, target);
    }
    const same = visible.filter((page) => titleKey(page.title) === titleKey(target));
    return same.find((page) => page.title === target) ?? same[0];
  }

  movedFrom(actor: Actor, path: string): ModelPage | undefined {
    return this.aliases
      .filter((alias) => alias.path === path)
      .map(({ id }) => this.pages.get(id))
      .findLast((page) => page && this.sees(actor, page));
  }

  byTitle(pages: ModelPage[]): ModelPage[] {
    return pages.toSorted((a, b) => compare(sortKey(a.title), sortKey(b.title)) || a.id - b.id);
  }

  backlinks(actor: Actor, page: ModelPage): number[] {
    const linking = this.visible(actor).filter((source) =>
      source.body.links.some((target) => this.resolve(actor, this.meant(source, target))?.id === page.id),
    );
    return this.byTitle(linking).map(({ id }) => id);
  }

  wanted(actor: Actor): { title: string; links: number[] }[] {
    const groups = new Map<string, { spellings: Map<string, number>; pages: Set<ModelPage> }>();
    for (const page of this.visible(actor)) {
      for (const written of page.body.links) {
        const target = this.meant(page, written);
        if (this.resolve(actor, target)) continue;
        const key = titleKey(target);
        const group = groups.get(key) ?? { spellings: new Map(), pages: new Set() };
        groups.set(key, group);
        group.pages.add(page);
        group.spellings.set(target, (group.spellings.get(target) ?? 0) + 1);
      }
    }
    return [...groups]
      .map(([key, { spellings, pages }]) => ({
        key,
        title: [...spellings].toSorted(([a, n], [b, m]) => m - n || compare(a, b))[0]?.[0] ?? '',
        links: this.byTitle([...pages]).map(({ id }) => id),
      }))
      .toSorted(
        (a, b) =>
          b.links.length - a.links.length || compare(sortKey(a.key), sortKey(b.key)) || compare(a.key, b.key),
      )
      .map(({ title, links }) => ({ title, links }));
  }

  near(actor: Actor, centre: { lat: number; lon: number }, radius: number): number[] {
    return this.visible(actor)
      .flatMap(({ id, body }) =>
        body.location ? [{ id, metres: metresBetween(centre, body.location) }] : [],
      )
      .filter(({ metres }) => metres <= radius)
      .toSorted((a, b) => a.metres - b.metres || a.id - b.id)
      .map(({ id }) => id);
  }

  updates(actor: Actor): number[] {
    return this.visible(actor)
      .toSorted((a, b) => b.updatedAt - a.updatedAt || b.id - a.id)
      .map(({ id }) => id);
  }

  search(
    actor: Actor,
    criteria: {
      path?: string;
      title?: string;
      type?: string;
      tags?: string[];
      text?: string;
      ancestorId?: number;
      or: boolean;
    },
  ): number[] {
    const tests: ((page: ModelPage) => boolean)[] = [];
    const { path, title, type, tags, text, ancestorId } = criteria;
    if (path !== undefined) tests.push((page) => page.path.startsWith(path));
    if (title !== undefined) tests.push((page) => titleKey(page.title).includes(titleKey(title)));
    if (type !== undefined) tests.push((page) => (page.body.location ? 'Place' : null) === type);
    for (const tag of tags ?? []) {
      const [key, value] = tag.includes(':') ? tag.split(':') : [undefined, tag];
      tests.push((page) =>
        page.body.tags.some(([k, v]) =>
          key === undefined ? v === value || k === value?.toLowerCase() : k === key && v === value,
        ),
      );
    }
    if (text !== undefined) {
      tests.push((page) =>
        [
          ...page.title.split(' '),
          'see',
          ...page.body.links.flatMap((link) => link.split(/[ ./]+/)),
          ...page.body.words,
        ].some((word) => word.toLowerCase().startsWith(text)),
      );
    }
    const inScope = (page: ModelPage) =>
      ancestorId === undefined || this.lineage(page).some(({ id }) => id === ancestorId);
    const matches = (page: ModelPage) =>
      tests.length === 0
        ? ancestorId !== undefined
        : criteria.or
          ? tests.some((t) => t(page))
          : tests.every((t) => t(page));
    return this.byTitle(this.visible(actor).filter((page) => inScope(page) && matches(page))).map(
      ({ id }) => id,
    );
  }
}

/** By code points, as UTF-8 bytes compare. */
function compare(a: string, b: string): number {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return Buffer.compare(x, y);
}
