/**
 * Switches between light, dark and system theme at once; the cookie is set in the background, so that the next page is right
 * from its first byte.
 */
export function switchTheme(): void {
  const form = document.querySelector<HTMLFormElement>('form.theme');
  form?.addEventListener('submit', (event) => {
    const pressed = event.submitter as HTMLButtonElement | null;
    if (!pressed?.value) return;
    event.preventDefault();
    const theme = pressed.value;
    document.documentElement.dataset.theme = theme;
    document
      .querySelector('meta[name="color-scheme"]')
      ?.setAttribute('content', theme === 'system' ? 'light dark' : theme);
    for (const one of form.querySelectorAll('button'))
      one.setAttribute('aria-pressed', String(one === pressed));
    dispatchEvent(new Event('coppice:theme'));
    // `manual`: the redirect back to this page is not followed.
    void fetch(form.action, {
      method: 'POST',
      body: new URLSearchParams({ theme, next: '/' }),
      redirect: 'manual',
    }).catch(() => {});
  });
}

/** Without scripts, a button stands beside the choice. */
export function chooseLanguage(): void {
  const choice = document.querySelector<HTMLSelectElement>('select[data-submits]');
  choice?.addEventListener('change', () => choice.form?.requestSubmit());
}
