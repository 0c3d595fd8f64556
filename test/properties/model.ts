/**
 * In-memory model of a small wiki, with which the real one is compared. It has no tables, counts or indexes: every result is
 * computed from the pages by brute force.
 */

import { sortKey, titleKey } from '#core/model/fold.ts';
import { audienceKey, effectiveEntries, type Grant, mergeEntries, sameGrants } from '#core/model/grant.ts';
import type { Role } from '#core/model/member.ts';
import type { Protection } from '#core/model/page.ts';
import { childPath, slugOf } from '#core/model/path.ts';
import {
  type Action,
  type Actor,
  audienceByDigits,
  may,
  mayModerate,
  type Permitting,
} from '#core/model/permission.ts';
import { initialSettings, type Settings, settingNames, shortSetting } from '#core/model/settings.ts';
import { metresBetween } from '#core/places/distance.ts';

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
  /** ID of the first change that all readers may see. */
  historyFrom: number;
  history: { id: number; title: string; body: Body; files: Files }[];
  protection: Protection | null;
  /** Position among its siblings; null if it was never placed. */
  rank: number | null;
  /** Own grants. */
  grants: Grant[];
  /** Effective grants when it was deleted, which hold in the trash. */
  held?: string;
}

export interface ModelMember {
  id: number;
  name: string;
  role: Role;
  groupIds: number[];
  block: { reason: string; until: number | null } | null;
}

/** Content of each file, by its name. */
export type Files = Readonly<Record<string, string>>;

export interface Deletion {
  id: number;
  pages: ModelPage[];
  /** Ancestors of the page when it was deleted, root first. */
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

/** Members may name a group that they are in, or the page's present group. */
function mayName(
  actor: NonNullable<Actor>,
  group: { id: number } | null,
  before: { id: number } | null,
): boolean {
  return (
    group === null || group.id === before?.id || actor.isAdmin || (actor.groupIds ?? []).includes(group.id)
  );
}

/** Code that refuses an actor who may not write any page. */
function refusalOfWriter(actor: NonNullable<Actor>): 'blocked' | 'not-permitted' | undefined {
  if (actor.block) return 'blocked';
  return actor.role === 'reader' ? 'not-permitted' : undefined;
}

export class Model {
  /** Blocks and protections that end at this time are over. */
  now = 0;
  /** Settings that somebody changed. */
  settings: Partial<Settings> = {};
  /** Entries of the audit log about settings, oldest first. */
  settingsLog: { name: string; note: string }[] = [];
  members: ModelMember[] = [];
  pages = new Map<number, ModelPage>();
  /**
   * Former paths of pages, oldest first. If a reader cannot see the present page at a path, it leads to the last former one.
   */
  aliases: { path: string; id: number }[] = [];

  /** Deletions, oldest first. Each begins with the page that was deleted. */
  trash: Deletion[] = [];

  /** Whether the wiki is private. */
  get isPrivate(): boolean {
    return this.settings.private ?? false;
  }

  /** Changes settings. Only values that are others than before stand in the audit log. */
  set(actor: NonNullable<Actor>, given: Partial<Settings>) {
    if (!actor.isAdmin) return 'administrators-only or blocked';
    if (actor.block) return 'blocked';
    if (given.accent === 'red') return 'invalid';
    return () => {
      for (const name of settingNames.filter((name) => given[name] !== undefined)) {
        const before = this.settings[name] ?? initialSettings[name];
        if (given[name] === before) continue;
        Object.assign(this.settings, { [name]: given[name] });
        const note = shortSetting(given[name] as Settings[typeof name]);
        this.settingsLog.push({ name, note });
      }
    };
  }

  at(path: string): ModelPage | undefined {
    return [...this.pages.values()].find((page) => page.path === path);
  }

  actorOf({ id: memberId, name, role, groupIds, block }: ModelMember): NonNullable<Actor> {
    return {
      memberId,
      name,
      isAdmin: role === 'administrator',
      ...(role === 'writer' || role === 'administrator' ? {} : { role }),
      ...(block && this.isInForce(block) ? { block } : {}),
      ...(groupIds.length > 0 ? { groupIds } : {}),
    };
  }

  isInForce({ until }: { until: number | null }): boolean {
    return until === null || until > this.now;
  }

  setRole(actor: NonNullable<Actor>, member: ModelMember, role: Role) {
    if (actor.block) return 'blocked';
    if (!actor.isAdmin) return 'administrators-only';
    if (role !== 'administrator' && this.isLastAdministrator(member)) return 'invalid';
    return () => {
      member.role = role;
    };
  }

  /** Removes the block if `block` is null. */
  block(actor: NonNullable<Actor>, member: ModelMember, block: ModelMember['block']) {
    if (actor.block) return 'blocked';
    if (!actor.isAdmin && actor.role !== 'moderator') return 'moderators-only';
    if (actor.memberId === member.id) return 'invalid';
    if (member.role === 'administrator' && !actor.isAdmin) return 'administrators-only';
    if (block && this.isLastAdministrator(member)) return 'invalid';
    return () => {
      member.block = block;
    };
  }

  /** Administrators who are blocked permanently do not count; those with a temporary block do. */
  isLastAdministrator(member: ModelMember): boolean {
    const isLeft = ({ role, block }: ModelMember) =>
      role === 'administrator' && (block === null || block.until !== null);
    return member.role === 'administrator' && !this.members.some((one) => one !== member && isLeft(one));
  }

  protect(actor: NonNullable<Actor>, page: ModelPage, protection: Protection | null) {
    if (actor.block) return 'blocked';
    if (!actor.isAdmin && actor.role !== 'moderator') return 'moderators-only';
    if (!this.sees(actor, page)) return this.missing(actor, page.path);
    const had = page.protection && this.isInForce(page.protection) ? page.protection : null;
    const isTheirs = ![protection, had].some((one) => one?.level === 'administrators');
    if (!isTheirs && !actor.isAdmin) return 'administrators-only';
    return () => {
      page.protection = protection;
    };
  }

  /** Whether the actor may put a page beneath this parent. Guests need one that they may edit. */
  mayPlace(actor: NonNullable<Actor>, parent: ModelPage | null | undefined): boolean {
    return actor.role !== 'guest' || (parent ? this.may(actor, 'write', parent) : false);
  }

  /** Whether a protection keeps the actor from changing the page. */
  isBarred(actor: NonNullable<Actor>, page: ModelPage): boolean {
    return this.bars(actor, page.protection) || this.isBarredAmong(actor, this.lineage(page));
  }

  /** Whether a protection keeps the actor from putting something beneath these pages. */
  isBarredAmong(actor: NonNullable<Actor>, above: ModelPage[]): boolean {
    return above.some(({ protection }) => protection?.subtree && this.bars(actor, protection));
  }

  bars(actor: NonNullable<Actor>, protection: Protection | null): boolean {
    if (!protection || !this.isInForce(protection) || actor.isAdmin) return false;
    return protection.level === 'administrators' || actor.role !== 'moderator';
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
    const unable = refusalOfWriter(actor);
    if (unable) return unable;
    if (parent && !this.sees(actor, parent)) return 'invalid';
    const slug = slugOf(input.title);
    const path = childPath(parent?.path ?? null, slug);
    const isBarred = parent && this.isBarredAmong(actor, [...this.lineage(parent), parent]);
    const isPlaced = this.mayPlace(actor, parent);
    // Either error may be reported.
    if (!mayName(actor, input.group, null))
      return isPlaced ? (isBarred ? 'invalid or protected' : 'invalid') : 'invalid or not-permitted';
    if (!isPlaced) return 'not-permitted';
    if (isBarred) return 'protected';
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
        rank: null,
        history,
        protection: null,
        grants: [],
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
      /** Whether the edit has a message, which makes it a change even if no field differs. */
      isSaid?: boolean;
    },
  ) {
    if (!this.may(actor, 'write', page)) return refusalOfWriter(actor) ?? 'not-permitted';
    const foreign =
      (fields.permissions !== undefined && fields.permissions !== page.permissions) ||
      (fields.group !== undefined && fields.group?.id !== page.group?.id);
    if (foreign && !actor.isAdmin && actor.memberId !== page.ownerId) return 'not-permitted';
    if (fields.history && !actor.isAdmin && actor.memberId !== page.ownerId) return 'not-permitted';
    if (!mayName(actor, fields.group ?? null, page.group)) return 'invalid';
    if (this.isBarred(actor, page)) return 'protected';
    const parentId = fields.parentId === undefined ? page.parentId : fields.parentId;
    const parent = parentId === null ? null : this.pages.get(parentId);
    // The present parent may be named without being visible.
    if (parentId !== page.parentId && parent && !this.sees(actor, parent)) return 'invalid';
    if (parent && (parent.id === page.id || this.lineage(parent).some(({ id }) => id === page.id)))
      return 'path-loop';
    const slug = fields.slug ?? page.slug;
    const isReplaced = slug !== page.slug || parentId !== page.parentId;
    const path = isReplaced ? childPath(parent?.path ?? null, slug) : page.path;
    const isMoved = path !== page.path || parentId !== page.parentId;
    if (isMoved && !this.mayPlace(actor, parent)) return 'not-permitted';
    if (isMoved && parent && this.isBarredAmong(actor, [...this.lineage(parent), parent])) return 'protected';
    const isTheirs = actor.isAdmin || actor.memberId === page.ownerId;
    if (isMoved && parent && !isTheirs && this.shares(page, parent)) return 'not-permitted';
    if (isMoved && this.beneath(page).some((one) => this.bars(actor, one.protection))) return 'protected';
    const moves = new Map<number, string>();
    if (path !== page.path) {
      moves.set(page.id, path);
      for (const below of this.beneath(page)) {
        if (below.path.startsWith(`${page.path}/`))
          moves.set(below.id, path + below.path.slice(page.path.length));
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
      !fields.isSaid &&
      fields.history === undefined &&
      moves.size === 0 &&
      parentId === page.parentId &&
      title === page.title &&
      permissions === page.permissions &&
      group?.id === page.group?.id &&
      textOf(files) === textOf(page.files) &&
      bodyText(body) === bodyText(page.body);
    return (changeId: number, now: number) => {
      // The page is unchanged, so no change is recorded.
      if (isKept) return;
      if (parentId !== page.parentId) page.rank = null;
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

  /** `children`: visible ones. */
  order(actor: NonNullable<Actor>, page: ModelPage, children: ModelPage[]) {
    if (!this.sees(actor, page)) return this.missing(actor, page.path);
    if (!this.may(actor, 'write', page)) return refusalOfWriter(actor) ?? 'not-permitted';
    if (this.isBarred(actor, page)) return 'protected';
    return () => {
      const all = this.children(page);
      // Hidden pages stand where they stood; the others are dealt to what is left.
      const placed = all.filter(({ rank }) => rank !== null);
      const hidden = new Map(
        placed.map((one, at) => [at, one] as const).filter(([, one]) => !this.sees(actor, one)),
      );
      const waiting = [...children];
      const arranged: ModelPage[] = [];
      for (let at = 0; at < placed.length; at++) {
        const next = hidden.get(at) ?? waiting.shift();
        if (next) arranged.push(next);
      }
      arranged.push(...waiting);
      for (const one of all) one.rank = null;
      for (const [rank, one] of arranged.entries()) one.rank = rank;
    };
  }

  /** Children in their order. */
  children(page: ModelPage): ModelPage[] {
    const all = this.byTitle([...this.pages.values()].filter(({ parentId }) => parentId === page.id));
    const placed = all.filter(({ rank }) => rank !== null).sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
    return [...placed, ...all.filter(({ rank }) => rank === null)];
  }

  /** Everything beneath the page, depth first. */
  tree(page: ModelPage): ModelPage[] {
    return this.children(page).flatMap((child) => [child, ...this.tree(child)]);
  }

  delete(actor: NonNullable<Actor>, page: ModelPage, subtree: boolean) {
    if (!this.sees(actor, page)) return this.missing(actor, page.path);
    if (!mayModerate(actor, this.permitting(page), this)) return refusalOfWriter(actor) ?? 'not-permitted';
    const beneath = this.beneath(page);
    const isBarred = this.isBarred(actor, page) || beneath.some((one) => this.bars(actor, one.protection));
    if (isBarred) return 'protected';
    if (!subtree && beneath.some((one) => this.sees(actor, one))) return 'pages-beneath';
    if (beneath.some((one) => !mayModerate(actor, this.permitting(one), this))) return 'not-permitted';
    const trail = this.lineage(page).map(({ id }) => id);
    // Parents before their children, in the order of restoring.
    const pages = [page, ...beneath].toSorted(
      (a, b) => this.lineage(a).length - this.lineage(b).length || a.id - b.id,
    );
    return (id: number) => {
      for (const one of pages) one.held = this.entries(one).here;
      for (const one of pages) this.pages.delete(one.id);
      this.trash.push({ id, pages, trail });
    };
  }

  restore(actor: NonNullable<Actor>, deletion: Deletion, path: string | undefined) {
    const { pages, trail } = deletion;
    const [top] = pages as [ModelPage];
    const unable = refusalOfWriter(actor);
    if (unable) return unable;
    if (!this.sees(actor, top)) return 'not-found';
    if (pages.some((page) => !mayModerate(actor, this.permitting(page), this))) return 'not-permitted';
    const parentId = trail.findLast((id) => this.pages.has(id)) ?? null;
    const parent = parentId === null ? undefined : this.pages.get(parentId);
    if (!this.mayPlace(actor, parent)) return 'not-permitted';
    if (parent && this.isBarredAmong(actor, [...this.lineage(parent), parent])) return 'protected';
    if (pages.some((page) => this.bars(actor, page.protection))) return 'protected';
    const to = path ?? top.path;
    const paths = pages.map((page) =>
      page === top || page.path.startsWith(`${top.path}/`)
        ? to + page.path.slice(top.path.length)
        : page.path,
    );
    if (paths.some((one, i) => this.at(one) || paths.indexOf(one) !== i)) return 'path-taken';
    return () => {
      this.trash = this.trash.filter((one) => one !== deletion);
      for (const [i, page] of pages.entries()) {
        const at = paths[i] as string;
        if (at !== page.path) this.aliases.push({ path: page.path, id: page.id });
        page.path = at;
        delete page.held;
        this.pages.set(page.id, page);
      }
      if (top.parentId !== parentId) top.rank = null;
      top.parentId = parentId;
    };
  }

  /** Error for reading a page that the actor does not see: `gone` if they could see one that was deleted there. */
  missing(actor: Actor, path: string): 'not-found' | 'gone' {
    if (this.movedFrom(actor, path)) return 'not-found';
    const lived = new Set(this.aliases.filter((alias) => alias.path === path).map(({ id }) => id));
    const deleted = this.trash.flatMap(({ pages }) => pages);
    return deleted.some((page) => (page.path === path || lived.has(page.id)) && this.sees(actor, page))
      ? 'gone'
      : 'not-found';
  }

  /** Grants of the page with those from above, and those that hold beneath it. */
  entries({ grants, parentId }: ModelPage): { here: string; beneath: string } {
    const parent = parentId === null ? undefined : this.pages.get(parentId);
    return effectiveEntries(grants, parent ? this.entries(parent).beneath : '');
  }

  permitting(page: ModelPage): Permitting {
    const here = page.held ?? this.entries(page).here;
    if (here === '') return page;
    return { ...page, granted: { id: 1, key: audienceKey(audienceByDigits(page, this), here) } };
  }

  may(actor: Actor, action: Action, page: ModelPage): boolean {
    return may(actor, action, this.permitting(page), this);
  }

  /** Replaces the grants of a page. */
  share(actor: NonNullable<Actor>, page: ModelPage, grants: Grant[]) {
    const unable = refusalOfWriter(actor);
    if (unable) return unable;
    if (!this.sees(actor, page)) return this.missing(actor, page.path);
    if (!actor.isAdmin && actor.memberId !== page.ownerId) return 'not-permitted';
    const isKnown = (grant: Grant) =>
      'member' in grant ||
      mayName(actor, { id: grant.group }, null) ||
      page.grants.some((held) => 'group' in held && held.group === grant.group);
    if (!grants.every(isKnown)) return 'invalid';
    if (this.isBarred(actor, page)) return 'protected';
    return (changeId: number, now: number) => {
      if (sameGrants(grants, page.grants)) return;
      page.grants = grants;
      page.updatedAt = Math.max(now, page.updatedAt);
      const { title, body, files } = page;
      page.history.push({ id: changeId, title, body, files });
    };
  }

  /** Whether a move beneath the parent would share the page, or pages beneath it, with more than now. */
  shares(page: ModelPage, parent: ModelPage): boolean {
    const { beneath } = this.entries(page);
    return mergeEntries(beneath, this.entries(parent).beneath) !== beneath;
  }

  sees(actor: Actor, page: ModelPage): boolean {
    return this.may(actor, 'read', page);
  }

  /** Whether the actor, who sees the page, sees this change. */
  seesChange(actor: Actor, page: ModelPage, changeId: number): boolean {
    return actor?.isAdmin || actor?.memberId === page.ownerId || changeId >= page.historyFrom;
  }

  visible(actor: Actor): ModelPage[] {
    return [...this.pages.values()].filter((page) => this.sees(actor, page));
  }

  /** Ancestors of the page, root first. */
  lineage(page: ModelPage): ModelPage[] {
    const parent = page.parentId === null ? undefined : this.pages.get(page.parentId);
    return parent ? [...this.lineage(parent), parent] : [];
  }

  beneath(page: ModelPage): ModelPage[] {
    return [...this.pages.values()].filter((one) => this.lineage(one).some(({ id }) => id === page.id));
  }

  /** Resolves a relative target of the page at its present path. */
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
    if (title !== undefined) tests.push((page) => sortKey(page.title).includes(sortKey(title)));
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

/** Compares by code points, in the order of UTF-8 bytes. */
function compare(a: string, b: string): number {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return Buffer.compare(x, y);
}
