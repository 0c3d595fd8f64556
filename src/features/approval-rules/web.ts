/** The rule of a page on the site: shown to all who read the page, set and lifted by its owner and administrators. */
import { pageLink } from '#web/components.ts';
import { choices, errorSummary, field, selectField } from '#web/form-fields.ts';
import { type Html, html, type Words } from '#web/html.ts';
import { formOf, type OperationPage, type PageCall } from '#web/operation-pages.ts';
import { urlOf } from '#web/page-address.ts';
import { say } from '#words/say.ts';
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
  const own = approvals > 0 && html`<li>${say('rules.ownRule', { rule: words(approvals, approvers) })}</li>`;
  const main = html`<div class="plain">
<p class="above">${pageLink(shown)}</p>
<h1>${say('rules.approvalOfChanges')}</h1>
<p class="lede">${!isRuled ? say('rules.changesOfThisPageNeedNo') : needsApproval ? say('rules.youCanProposeChangesOfThis') : say('rules.youCanChangeThisPageDirectly')}</p>
${errorSummary(refused.message)}
${
  isRuled &&
  html`<ul>${own}${inherited.map(
    (rule) =>
      html`<li>${
        rule.from === null
          ? say('rules.hiddenRule', { rule: words(rule.approvals, rule.approvers) })
          : say('rules.inheritedRule', {
              from: html`<a href="${urlOf(url, rule.from)}" dir="auto">${rule.from}</a>`,
              rule: words(rule.approvals, rule.approvers),
            })
      }</li>`,
  )}</ul>`
}
<p><a href="/proposals?path=${encodeURIComponent(shown.path)}">${say('rules.proposalsForThisPage')}</a></p>
${mayChange && ruleForm(shown, groups, refused)}
</div>`;
  return { title: say('rules.approvalTitle', { title }), kind: 'rules', main };
}

function words(approvals: number, approvers: Words): Words {
  return say('rules.approvalsBy', { count: approvals, approvers });
}

function ruleForm(
  { path, approvals, group }: { path: string; approvals: number; group: string | null },
  groups: readonly string[],
  { form, errors = [] }: PageCall['refused'],
): Html {
  const chosen = Number(form?.text('approvals') ?? (approvals || 1));
  const numbers = Array.from({ length: maxApprovals }, (_, n) => [n + 1, String(n + 1)] as const);
  const named = form?.text('group') ?? group ?? '';
  return html`<h2>${approvals > 0 ? say('rules.changeTheRule') : say('rules.askForApprovals')}</h2>
<p>${say('rules.thenOthersCannotSaveThisPage')}</p>
<form method="post" action="${urlOf(url, path)}" class="narrow-form">
${selectField('approvals', say('rules.approvalsThatAChangeNeeds'), choices(numbers, chosen), { errors })}
${field('group', say('rules.groupThatCanApprove'), html`value="${named}" list="rule-groups" dir="auto" autocomplete="off"`, { errors, hint: say('rules.leaveEmptyForModerators') })}
<datalist id="rule-groups">${groups.map((name) => html`<option value="${name}"></option>`)}</datalist>
<div class="buttons"><button type="submit" name="what" value="save" class="button">${say('rules.save')}</button>${
    approvals > 0 &&
    html` <button type="submit" name="what" value="lift" class="quiet-button">${say('rules.liftTheRule')}</button>`
  }</div></form>`;
}
