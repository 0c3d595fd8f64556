/**
 * Keeps the toolbar right above the keyboard of a phone while the text has the focus. Browsers only say that the part of the window
 * that is seen got lower; a page that is merely magnified does not count.
 */

/** Lower parts are bars of the browser itself. */
const leastHeight = 100;

/** `bar`: gets the class `has-keyboard` and the height below it as `--keyboard`. Returns how to stop. */
export function followKeyboard(bar: HTMLElement): () => void {
  const seen = window.visualViewport;
  if (!seen) return () => {};
  const place = () => {
    const height = innerHeight - seen.height * seen.scale;
    const isOpen = height > leastHeight && bar.contains(document.activeElement);
    bar.classList.toggle('has-keyboard', isOpen);
    bar.style.setProperty('--keyboard', `${Math.max(0, innerHeight - seen.height - seen.offsetTop)}px`);
  };
  const stop = new AbortController();
  const { signal } = stop;
  seen.addEventListener('resize', place, { signal });
  seen.addEventListener('scroll', place, { signal });
  bar.addEventListener('focusin', place, { signal });
  bar.addEventListener('focusout', () => setTimeout(place), { signal });
  return () => stop.abort();
}
