/** The access that imported pages get in this wiki, so that nobody can read or write more than the source states. */
import { groupKey } from '#core/model/group-name.ts';
import type { AccessDefaults, Content, GroupName, Protection } from '#core/model/page.ts';
import { type Actor, defaultPermissionsIn, type Wiki } from '#core/model/permission.ts';
import type { Store } from '#core/ports/store.ts';
import { narrowerCode, type StatedAccess, shownFact } from './access.ts';
import { isOnlyParent, type PlannedPage } from './planned-page.ts';
import { slicesOf } from './slices.ts';
import type { Approximation, PageOutline } from './source.ts';

export interface PageAccess {
  permissions: number;
  group?: GroupName;
  defaults?: AccessDefaults;
  protection?: Protection;
  /** Undefined: the author of the first revision. */
  ownerId?: number;
  hidesHistory?: true;
}

/** Permissions of pages that only the importer can read. */
const importersOnly = 700;
const [everything, allButOwners] = [777, 77];
const unreadConstruct = 'access that could not be imported';
const approvalConstruct = 'rule of approval, now protection';
const toImporter = `${importersOnly}: only the importer can read it`;

type PlacedOutline = Pick<PlannedPage, 'path' | 'outline'>;

/** Groups and owners that the statements of a source name, looked up once. */
export class AccessHere {
  readonly #groups: ReadonlyMap<string, GroupName>;
  /** Key of the owner → member. */
  readonly #owners: ReadonlyMap<string, number>;
  /** Paths above restricted pages only. */
  readonly #closed: ReadonlySet<string>;
  readonly #actor: NonNullable<Actor>;

  private constructor(
    groups: ReadonlyMap<string, GroupName>,
    owners: ReadonlyMap<string, number>,
    closed: ReadonlySet<string>,
    actor: NonNullable<Actor>,
  ) {
    this.#groups = groups;
    this.#owners = owners;
    this.#closed = closed;
    this.#actor = actor;
  }

  /** `members`: name in the source → member's ID. An equal name alone proves nothing, except for the importer. */
  static async of(
    store: Store,
    pages: Iterable<PlacedOutline>,
    {
      actor,
      members: mapped,
      parentPath,
    }: { actor: NonNullable<Actor>; members: ReadonlyMap<string, number>; parentPath: string | null },
  ): Promise<AccessHere> {
    const names = new Set<string>();
    const owners = new Map<string, number>(mapped);
    const origins = new Map<string, StatedAccess>();
    const [open, closed] = [new Set<string>(), new Set<string>()];
    for (const { path, outline } of pages) {
      if (outline && !isOnlyParent(outline)) addAbove(path, isOpen(outline) ? open : closed, parentPath);
      const access = outline?.access;
      if (!access) continue;
      for (const name of [access.group, access.defaults?.group]) if (name) names.add(name);
      if (access.owner === actor.name) owners.set(ownerKey(access), actor.memberId);
      else if (access.owner !== undefined && access.origin && !mapped.has(access.owner))
        origins.set(ownerKey(access), access);
    }
    const groups = new Map<string, GroupName>();
    for (const some of slicesOf([...names]))
      for (const group of await store.transact((store) => store.groups.lockByNames(some)))
        groups.set(groupKey(group.name), group);
    for (const some of slicesOf([...origins])) {
      const pages = await store
        .readAsSystem()
        .pages.states([...new Set(some.flatMap(([, { origin }]) => origin?.page ?? []))]);
      const byId = new Map(pages.map((page) => [page.id, page]));
      for (const [key, { origin, owner }] of some) {
        const page = byId.get(origin?.page ?? 0);
        const isSame = page?.createdAt === origin?.createdAt && page?.owner.id === origin?.owner;
        if (page && isSame && page.owner.name === owner) owners.set(key, page.owner.id);
      }
    }
    return new AccessHere(groups, owners, closed.difference(open), actor);
  }

  /** Undefined if the source states nothing. */
  of(page: PlacedOutline): PageAccess | undefined {
    const ownerId = this.#actor.memberId;
    if (page.outline?.isHidden || this.#isHiddenParent(page)) return { permissions: importersOnly, ownerId };
    const access = page.outline?.access;
    if (!access) return undefined;
    const { permissions, protection, defaults, hidesHistory } = access;
    const group = this.#groupOf(access.group);
    const given = defaults && this.#groupOf(defaults.group);
    return {
      ...(group === undefined ? { permissions: importersOnly } : { permissions }),
      ...(group ? { group } : {}),
      ownerId: this.#ownerOf(access) ?? ownerId,
      ...(protection ? { protection } : {}),
      ...(defaults
        ? {
            defaults: {
              permissions: given === undefined ? importersOnly : defaults.permissions,
              ...(given ? { group: given } : {}),
            },
          }
        : {}),
      ...(hidesHistory ? { hidesHistory } : {}),
    };
  }

  /** Statements that could not be taken over. */
  unread(page: PlacedOutline): Approximation[] {
    const { isHidden, restriction = 'restricted in the source', access } = page.outline ?? {};
    const lost = (before: string, after: string): Approximation => ({
      construct: unreadConstruct,
      before,
      after,
    });
    if (isHidden || this.#isHiddenParent(page)) return [lost(restriction, toImporter)];
    if (!access) return [];
    const found: Approximation[] = [];
    if (this.#groupOf(access.group) === undefined)
      found.push(lost(shownFact('group', access.group), `the wiki has no such group, so ${toImporter}`));
    if (access.defaults && this.#groupOf(access.defaults.group) === undefined)
      found.push(lost(shownFact('defaults', access.defaults.group), `new pages beneath it: ${toImporter}`));
    if (access.owner !== undefined && this.#ownerOf(access) === undefined)
      found.push(lost(shownFact('owner', access.owner), 'the importer owns it'));
    if (access.protection && access.replacesApproval)
      found.push({
        construct: approvalConstruct,
        before: 'approval of changes',
        after: `protected: only ${access.protection.level} can change it`,
      });
    if (access.hidesHistory)
      found.push(
        lost('earlier changes hidden', 'only its owner and administrators see changes before the latest'),
      );
    return found;
  }

  /** Whether the page is not in the source, and its name is only in paths of restricted pages. */
  #isHiddenParent({ path, outline }: PlacedOutline): boolean {
    return isOnlyParent(outline) && !outline?.access && this.#closed.has(path);
  }

  /** Undefined if the group is not here. */
  #groupOf(name: string | null): GroupName | null | undefined {
    return name === null ? null : this.#groups.get(groupKey(name));
  }

  #ownerOf(access: StatedAccess): number | undefined {
    if (access.owner === undefined) return undefined;
    return this.#owners.get(access.owner) ?? this.#owners.get(ownerKey(access));
  }
}

/**
 * The access of a page after an import states `stated` for it: what both allow. Undefined if the page is as narrow already. A
 * page of another group keeps the owner's rights only, one of another owner takes these away.
 */
export function narrowedPermissions(
  held: Pick<Content, 'permissions' | 'group'> & { owner: { id: number } },
  stated: PageAccess,
): number | undefined {
  const isSameGroup = stated.group === undefined || stated.group.id === held.group?.id;
  const limit = narrowerCode(
    isSameGroup ? stated.permissions : narrowerCode(stated.permissions, importersOnly),
    isOwner(held.owner, stated) ? everything : allButOwners,
  );
  const permissions = narrowerCode(held.permissions, limit);
  return permissions === held.permissions ? undefined : permissions;
}

export function isOwner(owner: { id: number }, { ownerId }: Pick<PageAccess, 'ownerId'>): boolean {
  return ownerId === undefined || ownerId === owner.id;
}

/** Permissions of a new page. `given`: those that the caller names, which never widen what the source states. */
export function permissionsOf(stated: PageAccess | undefined, given: number | undefined, wiki: Wiki): number {
  if (!stated) return given ?? defaultPermissionsIn(wiki);
  return given === undefined ? stated.permissions : narrowerCode(stated.permissions, given);
}

function isOpen({ isHidden, access }: PageOutline): boolean {
  return !isHidden && (access === undefined || ((access.permissions % 10) & 4) !== 0);
}

/** Adds the paths above a path and below `top`, the page beneath which everything goes. */
function addAbove(path: string, paths: Set<string>, top: string | null): void {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const above = path.slice(0, end);
    if (above === top || paths.has(above)) return;
    paths.add(above);
  }
}

function ownerKey({ owner = '', origin }: StatedAccess): string {
  return origin ? `${owner}\0${origin.page}\0${origin.createdAt}\0${origin.owner}` : owner;
}
