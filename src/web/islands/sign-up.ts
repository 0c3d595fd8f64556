/** Solves the proof of work of the sign-up form in the background, and submits the form once it is done. */
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import { say } from './words.ts';

const form = document.querySelector<HTMLFormElement>('form[data-challenge]');
const proof = form?.querySelector<HTMLInputElement>('[name=proof]');
const status = form?.querySelector<HTMLElement>('[data-work]');

if (form && proof && status) {
  const challenge = JSON.parse(form.dataset.challenge ?? '');
  const done = (async () => {
    // Web Crypto is only available on secure pages.
    if (!globalThis.crypto?.subtle) throw new Error(say('scriptSignUp.signingUpNeedsASecure'));
    const solution = await solveChallenge({ challenge, deriveKey, timeout: 5 * 60_000 });
    if (!solution) throw new Error(say('scriptSignUp.theCalculationTookTooLong'));
    proof.value = btoa(JSON.stringify({ challenge, solution }));
  })();
  const ended = done.catch((error: Error) => {
    status.textContent = error.message;
  });
  form.addEventListener('submit', (event) => {
    if (proof.value !== '') return;
    event.preventDefault();
    status.textContent ||= say('scriptSignUp.pleaseWaitWhileYourBrowser');
    void ended.then(() => {
      if (proof.value !== '') form.requestSubmit();
    });
  });
}
