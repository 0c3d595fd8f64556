/** The audit log, for administrators: newest first, by kind and member. */
import type { FastifyInstance } from 'fastify';
import type { AuditEntry } from '#domain/audit/entry.ts';
import { type AuditKind, auditKinds, isAuditKind } from '#domain/audit/kinds.ts';
import { listAudit } from '#domain/audit/list-audit.ts';
import { readOffset } from '../components.ts';
import { count, momentOf } from '../format.ts';
import { type Html, html } from '../html.ts';
import { sendLayout } from '../layout.ts';
import type { Site } from '../site.ts';

const shown = 50;

export function auditRoutes(server: FastifyInstance, site: Site): void {
  const { store } = site.service;

  server.get('/members/audit', async (request, reply) => {
    const { visit } = request;
    const url = new URL(request.url, visit.origin);
    const [kind, member, before] = [
      url.searchParams.get('kind') ?? '',
      readOffset(url, 'member'),
      readOffset(url, 'before'),
    ];
    const query = {
      kind: isAuditKind(kind) ? kind : undefined,
      member: member || undefined,
      // One more than shown tells whether there are older ones.
      limit: shown + 1,
    };
    const found = await listAudit(store, visit.actor, { before: before || 'latest' }, query);
    const entries = found.slice(0, shown);
    const named = member > 0 ? await store.members.findById(member) : undefined;
    const at = (place?: number) => {
      const next = new URLSearchParams(url.searchParams);
      next.delete('before');
      if (place) next.set('before', String(place));
      return `/members/audit${next.size > 0 ? `?${next}` : ''}`;
    };
    const main = html`<div class="plain members">
<p class="above"><a href="/members">Members</a></p>
<h1>Audit log</h1>
<p class="lede">Who did what to accounts, rights and pages, the latest first.${
      member > 0 &&
      html` What <strong dir="auto">${named?.name ?? `member ${member}`}</strong> did, and what was done to their account. <a href="/members/audit">Show all</a>`
    }</p>
<form method="get" action="/members/audit" class="audit-filter">
${member > 0 && html`<input type="hidden" name="member" value="${member}">`}
<label for="kind">Show</label> <select id="kind" name="kind"><option value="">everything</option>${Object.entries(
      auditKinds,
    ).map(
      ([name, words]) => html`<option value="${name}"${name === kind && html` selected`}>${words}</option>`,
    )}</select> <button type="submit">Show</button></form>
${
  entries.length === 0
    ? html`<p class="empty">Nothing was recorded that fits.</p>`
    : html`<div class="wide-box"><table class="member-table audit-table"><thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">From</th></tr></thead>
<tbody>${entries.map(row)}</tbody></table></div>`
}
${
  (before > 0 || found.length > shown) &&
  html`<nav class="paging" aria-label="Pages of this list">
${before > 0 ? html`<a href="${at()}">← Latest</a>` : html`<span></span>`}<span></span>
${found.length > shown ? html`<a rel="next" href="${at(entries.at(-1)?.position)}">Older →</a>` : html`<span></span>`}</nav>`
}
</div>`;
    return sendLayout(site, reply, { title: 'Audit log', kind: 'members', main });
  });
}

function row(entry: AuditEntry): Html {
  const { at, lastAt, actor, from, tokenId, times } = entry;
  return html`<tr><th scope="row">${momentOf(at)}${times > 1 && html`<p class="quiet">until ${momentOf(lastAt)}</p>`}</th>
<td dir="auto">${actor ? memberLink(actor) : stranger(entry)}</td>
<td>${what(entry)}</td>
<td>${from ?? ''}${tokenId !== null && html`<p class="quiet">by token ${tokenId}</p>`}</td></tr>`;
}

function what({ kind, subject, note, actor, times }: AuditEntry): Html {
  const words = auditKinds[kind as AuditKind] ?? kind;
  const isOwn = subject?.kind === 'member' && subject.id === actor?.id;
  const name = subject && (subject.name || `${subject.kind} ${subject.id ?? ''}`);
  return html`${words}${times > 1 && html`, ${count(times, 'time')}`}${
    subject &&
    !isOwn &&
    html`: ${subject.kind === 'member' && subject.id !== null ? memberLink({ id: subject.id, name: String(name) }) : html`<bdi>${name}</bdi>`}`
  }${note !== '' && html`<p class="quiet"><bdi>${note}</bdi></p>`}`;
}

function memberLink({ id, name }: { id: number; name: string }): Html {
  return html`<a href="/members/audit?member=${id}"><bdi>${name}</bdi></a>`;
}

function stranger({ via }: AuditEntry): string {
  return via === 'wiki' ? 'the wiki itself' : via === 'command line' ? 'the command line' : 'a stranger';
}
