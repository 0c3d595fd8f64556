/** The button for signing in by passkey; `islands/passkey.ts` shows and handles it. */

import { say } from '#words/say.ts';
import { type Html, html } from './html.ts';
import type { Site } from './site.ts';

/** Empty if passkeys are not possible. */
export function passkeyButton({ service }: Site, origin: string, next: string): Html {
  if (service.passkeys.obstacleAt(origin) !== undefined) return html``;
  return html`<form method="post" action="/login/passkey" data-passkey="/v1/members/auth/passkey/options" class="narrow-form" hidden>
<input type="hidden" name="next" value="${next}"><input type="hidden" name="credential">
<div class="buttons"><button type="submit" class="button quiet-button">${say('passkeyButton.signInWithAPasskey')}</button></div></form>`;
}
