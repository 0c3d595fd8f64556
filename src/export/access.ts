/**
 * Access of a page as exports state it, so that an import gives nobody more than before. It stands in the front matter of
 * Markdown, in `pages.jsonl`, in the head of HTML and in `<restrictions>` of MediaWiki.
 */
import type { ApprovalRule, PageOutline, Protection } from '#core/model/page.ts';
import { firstChangeFor } from '#core/model/page-access.ts';
import { type Actor, defaultPermissions, type Wiki } from '#core/model/permission.ts';
import { isInForce, protectionAt, rulesAt } from '#core/pages/protection.ts';
import { accessRecord, type StatedAccess } from '#import/access.ts';

type Exported = Omit<PageOutline, 'tags' | 'likes' | 'files'>;

interface Circumstances {
  /** Whether the page above is not in the export, so that protection and rules that it passes down have to be stated here. */
  isTop: boolean;
  /** Whether the format states the page's own rule of approval. */
  hasRule?: boolean;
  now: number;
  wiki: Wiki;
  actor?: Actor;
}

export function accessOf(page: Exported, circumstances: Circumstances): StatedAccess {
  const { wiki, actor = null } = circumstances;
  const { group, owner, defaults, id, createdAt } = page;
  const { protection, replacesApproval } = protectionOf(page, circumstances);
  const hidesHistory = page.historyFrom > 0 && firstChangeFor(actor, page) === 0;
  return {
    permissions: permissionsElsewhere(page.permissions, wiki),
    group: group?.name ?? null,
    owner: owner.name,
    ...(protection ? { protection } : {}),
    ...(replacesApproval ? { replacesApproval } : {}),
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

/** Rules of approval become protection that lets nobody write who could not change the page without an approval. */
function protectionOf(
  page: Exported,
  { isTop, now, hasRule = false }: Circumstances,
): Pick<StatedAccess, 'protection' | 'replacesApproval'> {
  const held = isTop ? protectionAt(page, now) : page.protection;
  const own = page.rule && !hasRule ? [page.rule] : [];
  const rules: ApprovalRule[] = isTop ? rulesAt(page).slice(page.rule && hasRule ? 1 : 0) : own;
  const given = held && isInForce(held, now) ? plain(held) : undefined;
  if (rules.length === 0) return given ? { protection: given } : {};
  const isStrict = given?.level === 'administrators' || rules.some(({ group }) => group !== undefined);
  const level = isStrict ? 'administrators' : 'moderators';
  return {
    protection: { level, subtree: true, reason: given?.reason ?? '', until: null },
    replacesApproval: true,
  };
}

function plain({ level, subtree, reason, until }: Protection): Protection {
  return { level, subtree, reason, until };
}
