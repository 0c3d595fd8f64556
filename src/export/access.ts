/**
 * Access of a page as exports state it, so that an import gives nobody more than before. It stands in the front matter of
 * Markdown, in `pages.jsonl`, in the head of HTML and in `<restrictions>` of MediaWiki.
 */
import type { PageOutline } from '#core/model/page.ts';
import { firstChangeFor } from '#core/model/page-access.ts';
import { type Actor, defaultPermissions, type Wiki } from '#core/model/permission.ts';
import { isInForce, protectionAt } from '#core/pages/protection.ts';
import { accessRecord, type StatedAccess } from '#import/access.ts';

type Exported = Omit<PageOutline, 'tags' | 'likes' | 'files'>;

interface Circumstances {
  /** Whether the page above is not in the export, so that protection that it passes down has to be stated here. */
  isTop: boolean;
  now: number;
  wiki: Wiki;
  actor?: Actor;
}

export function accessOf(page: Exported, { isTop, now, wiki, actor = null }: Circumstances): StatedAccess {
  const { group, owner, defaults, id, createdAt } = page;
  const protection = isTop ? protectionAt(page, now) : page.protection;
  const hidesHistory = page.historyFrom > 0 && firstChangeFor(actor, page) === 0;
  return {
    permissions: permissionsElsewhere(page.permissions, wiki),
    group: group?.name ?? null,
    owner: owner.name,
    ...(protection && isInForce(protection, now) ? { protection: plain(protection) } : {}),
    ...(defaults?.permissions !== undefined
      ? {
          defaults: {
            permissions: permissionsElsewhere(defaults.permissions, wiki),
            group: defaults.group?.name ?? null,
          },
        }
      : {}),
    ...(hidesHistory ? { hidesHistory } : {}),
    origin: { page: id, createdAt, owner: owner.id },
  };
}

/** Permissions that give nobody more in another wiki, which may be public: in a private one the world's digit counts as 0. */
export function permissionsElsewhere(permissions: number, { isPrivate }: Wiki): number {
  return isPrivate ? permissions - (permissions % 10) : permissions;
}

/** Undefined for a page that everybody can read and every member can write, as pages are by default. */
export function statedAccess(...given: Parameters<typeof accessOf>): Record<string, unknown> | undefined {
  const access = accessOf(...given);
  const { permissions, group, protection, defaults, hidesHistory } = access;
  const isUsual = permissions === defaultPermissions && group === null;
  return isUsual && !protection && !defaults && !hidesHistory ? undefined : accessRecord(access);
}

function plain({ level, subtree, reason, until }: NonNullable<StatedAccess['protection']>) {
  return { level, subtree, reason, until };
}
