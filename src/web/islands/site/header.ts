/** The header scrolls away downwards and returns when scrolling up; it stays while it has the focus. */
const steps = 24;

export function hideHeaderDownwards(): void {
  const header = document.querySelector<HTMLElement>('[data-header]');
  // The editor fills the screen and scrolls within itself.
  if (!header || document.querySelector('#page-form')) return;
  let last = scrollY;
  header.classList.add('is-sticky');
  addEventListener(
    'scroll',
    () => {
      const moved = scrollY - last;
      if (Math.abs(moved) < steps && scrollY > header.offsetHeight) return;
      last = scrollY;
      header.classList.toggle(
        'is-away',
        moved > 0 && scrollY > header.offsetHeight && !header.contains(document.activeElement),
      );
    },
    { passive: true },
  );
  header.addEventListener('focusin', () => header.classList.remove('is-away'));
}
