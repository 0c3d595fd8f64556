/** The audit log on the site: newest first, by kind and member. */
import type { AuditEntry } from '#core/model/audit-entry.ts';
import { auditKinds, isAuditKind } from '#core/model/audit-kinds.ts';
import type { SettingName } from '#core/model/settings.ts';
import type { Words } from '#html/html.ts';
import { changedAddress, pagingLinks, readOffset, table, urlOfVisit } from '#web/components.ts';
import { choices } from '#web/form-fields.ts';
import { momentOf } from '#web/format.ts';
import { type Html, html } from '#web/html.ts';
import type { OperationPage } from '#web/operation-pages.ts';
import { settingWords } from '#web/setting-words.ts';
import { say } from '#words/say.ts';
import { stored } from '#words/stored.ts';
import { readAudit } from './operations.ts';

const shown = 50;

/** Kinds whose notes are what members wrote. */
const freeNotes: ReadonlySet<string> = new Set([
  ...['member-blocked', 'member-erased', 'group-joined', 'group-left', 'passkey-added', 'passkey-removed'],
]);

export const web: readonly OperationPage[] = [
  {
    url: '/members/audit',
    reads: [readAudit],
    async show({ carry, visit }) {
      const url = urlOfVisit(visit);
      const kind = url.searchParams.get('kind') ?? '';
      const [member, before] = [readOffset(url, 'member'), readOffset(url, 'before')];
      const { entries: found } = await carry(readAudit, {
        before,
        // One extra entry tells whether there are older ones.
        limit: shown + 1,
        ...(isAuditKind(kind) ? { kind } : {}),
        ...(member > 0 ? { member } : {}),
      });
      const entries = found.slice(0, shown);
      const at = (place?: number) => changedAddress(url, { before: place?.toString() });
      const main = html`<div class="plain members">
<p class="above"><a href="/members">${say('audit.members')}</a></p>
<h1>${say('audit.auditLog')}</h1>
<p class="lede">${say('audit.actionsLatestFirst')}${
        member > 0 &&
        html` ${say('audit.onlyActionsByNameinAndOn', { nameIn: html`<strong dir="auto">${nameIn(entries, member)}</strong>`, link: (words) => html`<a href="/members/audit">${words}</a>` })}`
      }</p>
<form method="get" action="/members/audit" class="audit-filter">
${member > 0 && html`<input type="hidden" name="member" value="${member}">`}
<label for="kind">${say('audit.show')}</label> <select id="kind" name="kind"><option value="">${say('audit.everything')}</option>${choices(
        auditKinds.map((one) => [one, say(`auditKind.${one}`)] as const),
        kind,
      )}</select> <button type="submit">${say('audit.show')}</button></form>
${
  entries.length === 0
    ? html`<p class="empty">${say('audit.noMatchingEntries')}</p>`
    : table(
        'rows member-table audit-table',
        [say('audit.when'), say('audit.who'), say('common.what'), say('audit.from')],
        entries.map(row),
      )
}
${pagingLinks(
  before > 0 && html`<a href="${at()}">${say('common.latest')}</a>`,
  found.length > shown &&
    html`<a rel="next" href="${at(entries.at(-1)?.position)}">${say('common.older')}</a>`,
)}
</div>`;
      return { title: say('audit.auditLog'), kind: 'members', main };
    },
  },
];

function nameIn(entries: readonly AuditEntry[], member: number): Words {
  const named = entries.flatMap(({ actor, subject }) => [actor, subject?.kind === 'member' ? subject : null]);
  return named.find((one) => one?.id === member)?.name || say('access.memberNumber', { id: String(member) });
}

function row(entry: AuditEntry): Html {
  const { at, lastAt, actor, from, tokenId, times } = entry;
  return html`<tr><th scope="row">${momentOf(at)}${times > 1 && html`<p class="quiet">${say('audit.untilTime', { time: momentOf(lastAt) })}</p>`}</th>
<td dir="auto">${actor ? memberLink(actor) : stranger(entry)}</td>
<td>${what(entry)}</td>
<td>${from ?? ''}${tokenId !== null && html`<p class="quiet">${say('audit.byTokenTokenid', { tokenId })}</p>`}</td></tr>`;
}

function what({ kind, subject, note, actor, times }: AuditEntry): Html {
  const words = isAuditKind(kind) ? say(`auditKind.${kind}`) : kind;
  const isOwn = subject?.kind === 'member' && subject.id === actor?.id;
  const name = subject && nameOf(subject);
  return html`${words}${times > 1 && html`, ${say('count.times', { count: times })}`}${
    subject &&
    name &&
    !isOwn &&
    html`: ${subject.kind === 'member' && subject.id !== null ? memberLink({ id: subject.id, name }) : html`<bdi>${name}</bdi>`}`
  }${note !== '' && html`<p class="quiet"><bdi>${freeNotes.has(kind) ? note : stored(note, 'auditNote')}</bdi></p>`}`;
}

/** Nothing for what has neither a name nor a number. */
function nameOf({ kind, id, name }: NonNullable<AuditEntry['subject']>): Words | undefined {
  if (kind === 'setting' && Object.hasOwn(settingWords, name)) return settingWords[name as SettingName];
  if (name !== '' || id === null) return name || undefined;
  return say('audit.numbered', { kind: kind.replaceAll('-', '_'), id: String(id) });
}

function memberLink({ id, name }: { id: number; name: Words }): Html {
  return html`<a href="/members/audit?member=${id}"><bdi>${name}</bdi></a>`;
}

function stranger({ via }: AuditEntry): Words {
  if (via === 'wiki') return say('audit.theWikiItself');
  return via === 'command line' ? say('audit.theCommandLine') : say('audit.aStranger');
}
