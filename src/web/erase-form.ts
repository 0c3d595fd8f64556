/** End of the forms that erase: content on a page of its own, members on theirs. */
import { say } from '#words/say.ts';
import { field } from './form-fields.ts';
import { type Html, html } from './html.ts';

/** Reason and button of an erasure. */
export function reasonAndButton(reason: string): Html {
  return html`${field('reason', html`${say('erase.reasonForTheAuditLogWhich', { span: (words) => html`<span class="quiet">${words}</span>` })}`, html`required maxlength="500" value="${reason}"`)}
<label class="choice"><input type="checkbox" name="sure" value="yes" required> ${say('erase.thisCannotBeUndoneAndIWantTo')}</label>
<div class="buttons"><button type="submit" class="button grave">${say('erase.erasePermanently')}</button></div>`;
}
