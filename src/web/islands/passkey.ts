/**
 * Forms that use a passkey: the browser asks for it when they are sent. Without scripts or passkey support they stay hidden.
 */
import { element } from './element.ts';
import { say } from './words.ts';

/** A refusal with a sentence for the user. */
class Refusal extends Error {}

const canUse = 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
for (const missing of document.querySelectorAll<HTMLElement>('[data-passkey-missing]'))
  missing.hidden = canUse;
for (const form of canUse ? document.querySelectorAll<HTMLFormElement>('form[data-passkey]') : [])
  offer(form);

function offer(form: HTMLFormElement): void {
  form.hidden = false;
  const alert = element('p', { class: 'mistake', role: 'alert' });
  let isAsking = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isAsking) return;
    isAsking = true;
    alert.remove();
    try {
      const answer = await ask(form);
      const field = form.elements.namedItem('credential') as HTMLInputElement;
      field.value = JSON.stringify(answer);
      form.submit();
    } catch (error) {
      alert.textContent = wordsFor(error);
      form.append(alert);
    } finally {
      isAsking = false;
    }
  });
}

async function ask({ dataset }: HTMLFormElement): Promise<PublicKeyCredential> {
  const answer = await fetch(dataset.passkey ?? '', { method: 'POST' });
  if (answer.status === 401 && dataset.again) location.assign(dataset.again);
  const { options, detail } = await answer.json();
  if (!answer.ok) throw new Refusal(detail);
  const credential =
    dataset.again === undefined
      ? await navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
        })
      : await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
        });
  return credential as PublicKeyCredential;
}

function wordsFor(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  switch (error instanceof DOMException ? error.name : '') {
    case 'NotAllowedError':
      return say('scriptPasskey.noPasskeyWasUsedTheSignInWas');
    case 'InvalidStateError':
      return say('scriptPasskey.thisDeviceAlreadyHasOneOf');
    case 'SecurityError':
      return say('scriptPasskey.thePasskeysOfThisWikiBelong');
    default:
      return say('scriptPasskey.thatDidNotWorkTryAgainOrSign');
  }
}
