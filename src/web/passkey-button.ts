/** The button that signs in by a passkey: of a form that `islands/passkey.ts` shows and fills in. */
import { type Html, html } from './html.ts';
import type { Site } from './site.ts';

/** Empty where there can be no passkeys. */
export function passkeyButton({ service }: Site, origin: string, next: string): Html {
  if (service.passkeys.obstacleAt(origin) !== undefined) return html``;
  return html`<form method="post" action="/login/passkey" data-passkey="/v1/members/auth/passkey/options" class="narrow-form" hidden>
<input type="hidden" name="next" value="${next}"><input type="hidden" name="credential">
<div class="buttons"><button type="submit" class="button quiet-button">Sign in with a passkey</button></div></form>`;
}
