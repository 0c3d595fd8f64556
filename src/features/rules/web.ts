/** The rule of a page on the site: shown to all who read the page, set and lifted by its owner and administrators. */
import { pageLink } from '#web/components.ts';
import { choices, errorSummary, field, selectField } from '#web/form-fields.ts';
import { count } from '#web/format.ts';
import { type Html, html } from '#web/html.ts';
import { formOf, type OperationPage, type PageCall } from '#web/operation-pages.ts';
import { urlOf } from '#web/page-address.ts';
import { changeRule, maxApprovals, showRule } from './operations.ts';

const url = '/proposals/rules';

export const web: readonly OperationPage[] = [
  {
    url: `${url}/*`,
    followsMoves: true,
    reads: [showRule],
    forms: {
      save: formOf(changeRule, {
        fields: (form) => ({ approvals: Number(form.text('approvals')), group: form.text('group') || null }),
        notice: 'rule-saved',
        leadsTo: ({ path }) => urlOf(url, path),
      }),
      lift: formOf(changeRule, {
        fields: () => ({ approvals: 0 }),
        notice: 'rule-lifted',
        leadsTo: ({ path }) => urlOf(url, path),
      }),
    },
    show: rulePage,
  },
];

async function rulePage({ carry, path, refused }: PageCall) {
  const shown = await carry(showRule, { path });
  const { title, approvals, approvers, inherited, needsApproval, mayChange, groups } = shown;
  const isRuled = approvals + inherited.length > 0;
  const own =
    approvals > 0 && html`<li>This page and all pages beneath it: ${words(approvals, approvers)}.</li>`;
  const main = html`<div class="plain">
<p class="above">${pageLink(shown)}</p>
<h1>Approval of changes</h1>
<p class="lede">${!isRuled ? 'Changes of this page need no approval.' : needsApproval ? 'You can propose changes of this page. Others approve them before they are merged.' : 'You can change this page directly, and approve what others propose.'}</p>
${errorSummary(refused.message)}
${isRuled && html`<ul>${own}${inherited.map((rule) => html`<li>Because of <a href="${urlOf(url, rule.from)}" dir="auto">${rule.from}</a>: ${words(rule.approvals, rule.approvers)}.</li>`)}</ul>`}
<p><a href="/proposals?path=${encodeURIComponent(shown.path)}">Proposals for this page</a></p>
${mayChange && ruleForm(shown, groups, refused)}
</div>`;
  return { title: `Approval: ${title}`, kind: 'rules', main };
}

function words(approvals: number, approvers: string): string {
  return `${count(approvals, 'approval')} by ${approvers}`;
}

function ruleForm(
  { path, approvals, group }: { path: string; approvals: number; group: string | null },
  groups: readonly string[],
  { form, errors = [] }: PageCall['refused'],
): Html {
  const chosen = Number(form?.text('approvals') ?? (approvals || 1));
  const numbers = Array.from({ length: maxApprovals }, (_, n) => [n + 1, String(n + 1)] as const);
  const named = form?.text('group') ?? group ?? '';
  return html`<h2>${approvals > 0 ? 'Change the rule' : 'Ask for approvals'}</h2>
<p>Then others cannot save this page, or a page beneath it, directly. They propose changes, which merge once enough members have approved them.</p>
<form method="post" action="${urlOf(url, path)}" class="narrow-form">
${selectField('approvals', 'Approvals that a change needs', choices(numbers, chosen), { errors })}
${field('group', 'Group that can approve', html`value="${named}" list="rule-groups" dir="auto" autocomplete="off"`, { errors, hint: 'Leave empty for moderators. Administrators always can. Those who can approve still save directly.' })}
<datalist id="rule-groups">${groups.map((name) => html`<option value="${name}"></option>`)}</datalist>
<div class="buttons"><button type="submit" name="what" value="save" class="button">Save</button>${approvals > 0 && html` <button type="submit" name="what" value="lift" class="quiet-button">Lift the rule</button>`}</div></form>`;
}
